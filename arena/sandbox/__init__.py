"""The walls around a bot's process (seccomp, Landlock, namespaces), and the zygote (our template)."""
