"""`arena doctor`: what this machine offers for isolation, each feature yes or no with the reason."""

from __future__ import annotations

import typer

from arena.cli.output import screen_width


def doctor() -> None:
    """Show what this machine offers for isolation, and whether that is enough for a sandbox."""
    from arena.hosts.doctor import examine
    from arena.reports.screen import Table, lay_out

    report = examine()
    rows = [
        (feature.name, "yes" if feature.is_there else "no", feature.detail) for feature in report.features
    ]
    print(lay_out(Table(("feature", "here", "detail"), rows, texts=("feature", "detail")), screen_width()))
    print(f"\n{report.verdict}")
    if report.left_open:
        print("\nWhat bots can still learn (docs/fairness.md says what to do about it):")
        print("\n".join(f"- {what}" for what in report.left_open))
    if not report.is_enough:
        raise typer.Exit(1)
