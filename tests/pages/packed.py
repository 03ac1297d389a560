"""Packed games read by other means than the page's: Python's zlib, and the meaning of verdicts written anew."""

import json
import zlib
from base64 import b64decode


def unpack(text):
    """What was packed."""
    return json.loads(zlib.decompress(b64decode(text), wbits=-15))


def rows(data):
    """The games as dictionaries, with names for numbers."""
    columns = data["games"]
    for values in zip(*columns.values(), strict=True):
        row = dict(zip(columns, values, strict=True))
        row["variant"] = data["variants"][row["variant"]]["name"]
        row["ending"] = data["endings"][row["ending"]]
        row["first"], row["second"] = data["bots"][row["first"]], data["bots"][row["second"]]
        row["cells"] = [int(cell) for cell in row["moves"].split()]
        row["verdicts"] = row["verdicts"].split()
        yield row


def winners(row):
    """Who wins with perfect play after each ply from the opening on, and at last who won."""
    found = []
    for plies, verdict in enumerate(row["verdicts"], row["openingPlies"]):
        mover = plies % 2
        found.append({"?": None, "-": 1 - mover}.get(verdict, mover))
    return [*found, row["winner"]]


def grades(row):
    """What each ply after the opening was worth; also the one that was forfeited, if the loser was asked."""
    after = winners(row)
    is_asked = row["ending"] != "no-moves" and len(row["cells"]) % 2 != row["winner"]
    asked = row["verdicts"] if is_asked else row["verdicts"][:-1]
    found = []
    for at, verdict in enumerate(asked):
        if verdict in "?-":
            found.append({"?": "unknown", "-": "lost anyway"}[verdict])
        elif after[at + 1] != after[at]:
            found.append("thrown away")
        else:
            found.append("forced" if verdict == "=" else "unknown" if verdict.endswith("?") else "kept")
    return found


def winning_moves(verdict, legal_moves):
    """The moves that a verdict says win."""
    if verdict in "?-=":
        return list(legal_moves) if verdict == "=" else []
    bits = int(verdict.rstrip("?"), 16)
    return [cell for at, cell in enumerate(legal_moves) if bits >> at & 1]
