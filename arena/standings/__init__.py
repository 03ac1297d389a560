"""Who is better: tables computed from the log."""
