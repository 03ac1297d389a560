"""The checks of many bots as one table, and as JSON: who passed, who failed at which step and why.

On a narrow screen the remarks stand below their rows. What a teacher must not miss stands first in them: who
has the same files, and which name would do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from arena.checking.check_many import Verdict
from arena.plaintext import for_terminal
from arena.reports.asjson import write_json
from arena.reports.screen import Table, lay_out

_HEADINGS = ("bot", "verdict", "step", "remarks")


def show_checks(verdicts: Sequence[Verdict], width: int | None = None) -> str:
    """Return one table of all bots, and how many passed."""
    same = find_same(verdicts)
    rows = [[for_terminal(cell) for cell in _row(verdict, same)] for verdict in verdicts]
    failed = sum(not verdict.is_passed for verdict in verdicts)
    passed = f"{len(verdicts) - failed} of {len(verdicts)} bots passed"
    more = "; `arena check` of one bot shows its steps, and what it printed" if failed else ""
    table = Table(_HEADINGS, rows, names=("bot",), below="remarks", spare=("step",))
    return f"{lay_out(table, width)}\n\n{passed}{more}"


def find_same(verdicts: Sequence[Verdict]) -> dict[str, list[str]]:
    """Return for each bot the others that have the same files, by what the user typed."""
    groups: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.source is not None:
            groups[verdict.source.version].append(verdict.text)
    return {text: [other for other in group if other != text] for group in groups.values() for text in group}


def checks_as_json(
    verdicts: Sequence[Verdict],
    copied: Mapping[str, str] | None = None,
    refused: Mapping[str, str] | None = None,
) -> str:
    """Return all that is known as JSON; where bots were copied to, and why others were not, if that is known.

    Both are by what the user typed.
    """
    same = find_same(verdicts)
    bots = [_as_dict(verdict, same) for verdict in verdicts]
    if copied is not None and refused is not None:
        places = [
            {"copied_to": copied.get(one.text), "not_copied": refused.get(one.text)} for one in verdicts
        ]
        bots = [bot | place for bot, place in zip(bots, places, strict=True)]
    passed = sum(verdict.is_passed for verdict in verdicts)
    return write_json({"bots": bots, "passed": passed, "failed": len(verdicts) - passed})


def _row(verdict: Verdict, same: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    others = same.get(verdict.text)
    remarks = [f"is called {verdict.name}"] if verdict.is_renamed else []
    remarks += [f"the same as {', '.join(others)}"] if others else []
    if verdict.is_passed:
        remarks += [] if verdict.is_repeatable else ["cannot be repeated, and is marked with ~"]
        return verdict.text, "passed", "", "; ".join(remarks)
    number, step = len(verdict.steps), verdict.steps[-1]
    if verdict.suggested:
        remarks.append(f"a bot can be called {verdict.suggested}, but not this: --rename gives it that name")
    else:
        remarks += [step.detail, *([f"hint: {step.hint}"] if step.hint else [])]
    return verdict.text, "FAILED", f"{number}. {step.title}", "; ".join(remarks)


def _as_dict(verdict: Verdict, same: Mapping[str, Sequence[str]]) -> dict[str, object]:
    last = verdict.steps[-1]
    steps = [{"title": step.title, "passed": step.is_passed, "detail": step.detail} for step in verdict.steps]
    return {
        "path": verdict.text,
        "name": verdict.name,
        "version": verdict.source.version[:12] if verdict.source is not None else None,
        "passed": verdict.is_passed,
        "failed_step": None if verdict.is_passed else len(verdict.steps),
        "why": None if verdict.is_passed else last.detail,
        "hint": last.hint or None,
        "evidence": last.evidence or None,
        "printed": last.printed or None,
        "repeatable": verdict.is_repeatable if verdict.is_passed else None,
        "same_as": list(same.get(verdict.text, ())),
        "suggested_name": verdict.suggested or None,
        "steps": steps,
    }
