"""A laid out value: the same arrays seen from two places, written to apart."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from app.model.ids import Ids
from app.shared_memory import LEAST, Layout

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only where memory has a descriptor")


def large() -> dict[str, object]:
    return {"rows": np.arange(LEAST // 4, dtype=np.int32), "few": np.arange(3), "word": "é\ud800"}


def test_what_is_opened_is_what_was_laid_out() -> None:
    layout = Layout(large())
    found = layout.laid.opened()
    assert (found["rows"] == np.arange(LEAST // 4)).all()
    assert found["few"].tolist() == [0, 1, 2]
    assert found["word"] == "é\ud800"
    assert len(layout.laid.value) < 1000  # the large array is not in it
    layout.close()


def test_what_one_side_writes_the_other_never_sees() -> None:
    layout = Layout(large())
    ours, theirs = layout.laid.opened(), layout.laid.opened()
    ours["rows"][:] = 7
    assert theirs["rows"][:3].tolist() == [0, 1, 2]
    layout.close()
    assert theirs["rows"][-1] == LEAST // 4 - 1  # what is open stays so


def test_what_was_let_go_is_not_found() -> None:
    layout = Layout(large())
    laid = layout.laid
    layout.close()
    other = Layout({"rows": np.zeros(LEAST, np.uint8)})  # likely under the same number
    with pytest.raises(FileNotFoundError):
        laid.opened()
    other.close()


def test_a_small_value_is_not_worth_it() -> None:
    with pytest.raises(OSError, match="nothing to share"):
        Layout({"rows": np.arange(100)})


def test_ids_travel_beside_the_value() -> None:
    texts = [f"toolu_{number:020}ü" for number in range(40_000)]
    layout = Layout({"ids": Ids.of(texts)})
    found: Ids = layout.laid.opened()["ids"]
    layout.close()
    assert [found.text(0), found.text(39_999), found.text(40_000), found.text(-1)] == [texts[0], texts[-1], None, None]
    assert list(found.numbers()) == texts
    assert found.grown(["more"]).text(40_000) == "more"
