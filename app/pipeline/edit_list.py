"""Edits as text: a history written so that another run of the program can take it up on the same bytes.

Every kind of edit, place and content goes there and back (tests/pipeline/test_edit_list.py). Rows are written as runs, so that a plan over
a million rows is a few numbers. What is read is checked: what is not known, or of another kind than it must be, gives None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import numpy as np

from app.model.edits import (
    DELETE,
    EFFECTS,
    After,
    Before,
    Cap,
    Change,
    Content,
    Drop,
    Edit,
    End,
    HeadOf,
    History,
    Insert,
    Layer,
    Made,
    Move,
    Place,
    Replace,
    Set,
    SetRequest,
    Stub,
    Words,
)
from app.model.kinds import Kind, Role
from app.model.table import Ints

GONE = {"delete": True}
"""The value of a Set that takes a key away."""

PLACES: dict[str, type[Any]] = {"before": Before, "after": After, "head-of": HeadOf, "end": End}
CONTENTS: dict[str, type[Any]] = {"stub": Stub, "cap": Cap, "words": Words}
assert set(PLACES.values()) == set(get_args(Place))
assert set(CONTENTS.values()) == set(get_args(Content))


# -- there ----------------------------------------------------------------------------------------------------------------------------


def written(history: History) -> dict[str, Any]:
    """A history as plain values, fit for JSON."""
    return {"cursor": history.cursor, "layers": [_layer(layer) for layer in history.layers]}


def _layer(layer: Layer) -> dict[str, Any]:
    return {"title": layer.title, "passes": [[_change(change) for change in changes] for changes in layer.passes]}


def _change(change: Change) -> dict[str, Any]:
    return {
        "title": change.title, "origin": change.origin, "effect": change.effect, "note": change.note, "tokens": int(change.tokens),
        "edits": [_edit(edit) for edit in change.edits],
    }  # fmt: skip


def _edit(edit: Edit) -> dict[str, Any]:
    if isinstance(edit, Drop):
        return {"do": "drop", "rows": _runs(edit.rows)}
    if isinstance(edit, Replace):
        return {"do": "replace", "rows": _runs(edit.rows), "content": _named(CONTENTS, edit.content)}
    if isinstance(edit, Move):
        return {"do": "move", "row": int(edit.row), "place": _named(PLACES, edit.place)}
    if isinstance(edit, Set):
        return {"do": "set", "row": int(edit.row), "field": edit.field, **_value(edit.value)}
    if isinstance(edit, Insert):
        made = edit.made
        return {
            "do": "insert", "place": _named(PLACES, edit.place), "together": edit.together, "kind": int(made.kind), "role": int(made.role),
            "text": made.text, "call": int(made.call), "error": made.error,
        }  # fmt: skip
    return {"do": "request", "pointer": edit.pointer, **_value(edit.value)}


def _value(value: Any) -> dict[str, Any]:
    return dict(GONE) if value is DELETE else {"value": value}


def _named(known: dict[str, type[Any]], value: Any) -> dict[str, Any]:
    name = next(name for name, kind in known.items() if type(value) is kind)
    return {"is": name, **{key: held if isinstance(held, str | bool) else int(held) for key, held in vars(value).items()}}


def _runs(rows: Ints) -> list[list[int]]:
    """Rows in their order, as [first, how many] where they follow one another."""
    if not len(rows):
        return []
    ends = np.flatnonzero(np.diff(rows) != 1) + 1
    starts = np.concatenate([[0], ends])
    lengths = np.diff(np.concatenate([starts, [len(rows)]]))
    return np.stack([np.asarray(rows)[starts].astype(np.int64), lengths], axis=1).tolist()  # type: ignore[no-any-return]


# -- and back -------------------------------------------------------------------------------------------------------------------------


def read(value: Any) -> History | None:
    """A history from what `written` gave; None where it is not that."""
    try:
        layers = tuple(_layer_of(layer) for layer in _list(value["layers"]))
        cursor = value["cursor"]
        return History(layers, cursor) if isinstance(cursor, int) and 0 <= cursor <= len(layers) else None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        return None


def _layer_of(value: Any) -> Layer:
    return Layer(_text(value["title"]), tuple(tuple(_change_of(change) for change in _list(changes)) for changes in _list(value["passes"])))


def _change_of(value: Any) -> Change:
    effect = value["effect"]
    if effect not in EFFECTS:
        raise ValueError(effect)
    edits = tuple(_edit_of(edit) for edit in _list(value["edits"]))
    return Change(_text(value["title"]), _text(value["origin"]), effect, edits, _text(value["note"]), int(value["tokens"]))


def _edit_of(value: Any) -> Edit:
    do = value["do"]
    if do == "drop":
        return Drop(_rows(value["rows"]))
    if do == "replace":
        return Replace(_rows(value["rows"]), _known(CONTENTS, value["content"]))
    if do == "move":
        return Move(_row(value["row"]), _known(PLACES, value["place"]))
    if do == "set":
        return Set(_row(value["row"]), _text(value["field"]), _given(value))
    if do == "insert":
        made = Made(Kind(value["kind"]), Role(value["role"]), _text(value["text"]), int(value["call"]), bool(value["error"]))
        return Insert(_known(PLACES, value["place"]), made, bool(value["together"]))
    if do == "request":
        return SetRequest(_text(value["pointer"]), _given(value))
    raise ValueError(do)


def _given(value: Any) -> Any:
    return DELETE if value.get("delete") is True else value["value"]


def _known(known: dict[str, type[Any]], value: Any) -> Any:
    return known[value["is"]](**{key: held for key, held in value.items() if key != "is"})


def _rows(value: Any) -> Ints:
    runs = [np.arange(_row(first), _row(first) + _row(many), dtype=np.int32) for first, many in _list(value)]
    return np.concatenate(runs) if runs else np.empty(0, np.int32)


def _row(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise ValueError(value)
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def titles(histories: Iterable[History]) -> list[str]:
    """What changes that are in force are called, in their order."""
    return [change.title for history in histories for layer in history.active for change in layer.changes]


def highest(history: History) -> int:
    """The highest row that an edit of the first pass addresses; -1 where none does. Later ones may address rows that edits made."""
    from app.model.edits import rows_of

    first = history.layers[0].passes[0] if history.layers and history.layers[0].passes else ()
    return max((int(rows.max()) for change in first for edit in change.edits if len(rows := rows_of(edit))), default=-1)
