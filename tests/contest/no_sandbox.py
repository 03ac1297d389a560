"""One check on a machine that cannot sandbox: `arena.contest.one_check` with its answer changed."""

from arena.contest import one_check
from arena.errors import NoSandbox


def refuse(_: object) -> None:
    raise NoSandbox("bots cannot be sandboxed here: seccomp is missing")


if __name__ == "__main__":
    setattr(one_check, "require_sandbox", refuse)  # noqa: B010 - for the type checker
    one_check.main()
