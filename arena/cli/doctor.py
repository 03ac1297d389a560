"""`arena doctor`: what this machine offers for isolation, each feature yes or no with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.terminal.output import screen_width

if TYPE_CHECKING:
    from arena.hosts.doctor import Report


def doctor(format: PlainFormatOption = PlainFormat.TABLE) -> None:
    """Show what this machine offers for isolation, and whether that is enough for a sandbox."""
    from arena.hosts.doctor import examine

    report = examine()
    if format is PlainFormat.JSON:
        print_json(_tell(report))
    else:
        _show(report)
    if not report.is_enough:
        raise typer.Exit(1)


def _tell(report: Report) -> dict[str, object]:
    features = [
        {"feature": feature.name, "here": feature.is_there, "detail": feature.detail}
        for feature in report.features
    ]
    can = {"can_sandbox": report.is_enough, "verdict": report.verdict}
    return {**can, "features": features, "left_open": report.left_open}


def _show(report: Report) -> None:
    from arena.reports.screen import Table, lay_out

    rows = [
        (feature.name, "yes" if feature.is_there else "no", feature.detail) for feature in report.features
    ]
    print(lay_out(Table(("feature", "here", "detail"), rows, texts=("feature", "detail")), screen_width()))
    print(f"\n{report.verdict}")
    if report.left_open:
        print("\nWhat bots can still learn (docs/fairness.md says what to do about it):")
        print("\n".join(f"- {what}" for what in report.left_open))
