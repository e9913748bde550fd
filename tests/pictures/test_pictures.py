"""The main states look as they did when somebody looked at them last: compared with the pictures that are kept, within a tolerance.

Text that is a word longer or a figure that is another passes; a theme, a font, a panel or a region that went astray does not. Where a look
was changed on purpose: `make pictures`, look at what is new, commit it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from tests.pictures import states

FAR = 48  # of 255: from here on a pixel is another
MOST = 0.03  # of all pixels may be another
Taker = Callable[[QApplication, Path], Iterator[tuple[str, QImage]]]


def pixels(image: QImage) -> np.ndarray:  # type: ignore[type-arg]
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3].astype(np.int16)


def another(one: QImage, other: QImage) -> float:
    """The share of pixels that are another."""
    a, b = pixels(one), pixels(other)
    assert a.shape == b.shape
    return float((np.abs(a - b).max(axis=2) > FAR).mean())


@pytest.mark.parametrize("take", [states.light, states.dark])
def test_as_they_were(qapp: QApplication, tmp_path: Path, take: Taker, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = states.why_not()
    if wrong:
        pytest.skip(wrong)
    far: dict[str, float] = {}
    for name, image in take(qapp, tmp_path):
        kept = QImage(str(states.FOLDER / f"{name}.png"))
        assert not kept.isNull(), f"there is no picture {name}: make pictures"
        share = another(image, kept)
        if share > MOST:
            image.save(str(tmp_path / f"{name}.png"))  # type: ignore[call-overload]
            far[name] = round(share, 4)
    assert not far, f"{far}; what was taken now is in {tmp_path}"


def test_every_state_has_its_picture_and_no_two_are_alike() -> None:
    kept = {path.stem for path in states.FOLDER.glob("*.png")}
    assert kept == set(states.NAMES)
    assert len(kept) <= 20
    images = {name: QImage(str(states.FOLDER / f"{name}.png")) for name in kept}
    assert another(images["fault-light"], images["fault-dark"]) > 0.9
    assert another(images["fault-light"], images["preview-light"]) > 0.01
    assert sum(path.stat().st_size for path in states.FOLDER.glob("*.png")) < 1_500_000
