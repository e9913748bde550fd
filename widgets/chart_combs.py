"""The combs of all strategies side by side, through one lens: what each can reach, and where each comes to rest at this budget.

A tooth is a size that a strategy can reach. The bar across a comb is where it lands under the budget, red where it runs dry above. The
numbers are those of the plan table (Alt+1 to Alt+7). Under a drag this is a few look-ups a comb.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from app.model.plan import Ranking
from widgets import theme
from widgets.chart_model import ChartModel
from widgets.chart_paint import mix
from widgets.chart_scale import Lens, Rungs, on_edges
from widgets.chart_words import fine
from widgets.words import counted, full

STRIDE = 11  # pixels from one comb to the next ...
TOOTH = 8  # ... of which a tooth takes so many
_LOW = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom)


class Combs:
    """`on`: whether they are shown. What is dear is made once for a ranking."""

    def __init__(self, model: ChartModel) -> None:
        self._model = model
        self.on = False
        self._made: dict[str, tuple[Ranking, Rungs]] = {}
        self._numbers: tuple[tuple[object, ...], QPixmap] | None = None

    @property
    def there(self) -> bool:
        return self.on and self._model.state.view is not None and bool(self._model.state.rankings)

    def each(self) -> list[tuple[str, Ranking, Rungs]]:
        """Name, ranking and sizes of each row of the plan table."""
        rankings = self._model.state.rankings
        for name, ranking in rankings.items():
            if name not in self._made or self._made[name][0] is not ranking:
                self._made[name] = (ranking, Rungs(ranking.rungs if len(ranking.rungs) else np.asarray([ranking.before])))
        self._made = {name: self._made[name] for name in rankings}
        return [(name, *self._made[name]) for name in rankings]

    @property
    def width(self) -> int:
        """Pixels that all of them take."""
        return STRIDE * len(self._model.state.rankings)

    def lens(self, budget: int, height_of: Callable[[float], float]) -> Lens:
        """One for all: from *now* down to the least that any of them can reach."""
        found = self.each()
        high = max(rungs.most for _, _, rungs in found)
        low = min(rungs.least for _, _, rungs in found)
        focus = min(max(budget, low), high)
        return Lens(focus, high, low, height_of(focus), height_of(high), height_of(low))

    # -- painting -----------------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, look: theme.Theme, lens: Lens, left: float, budget: int | None) -> None:
        first, last = round(lens.y_high), round(lens.y_low)
        found = self.each()
        shown = self._model.state.shown
        edges = lens.edges(first, last)
        faint = [mix(look.ink_faint, look.paper, 0.5).rgb(), look.ink_faint.rgb()]
        strong = [look.ink_soft.rgb(), look.ink.rgb()]
        teeth = np.full((last - first + 1, STRIDE * len(found)), look.paper.rgb(), np.uint32)
        for number, (name, _, rungs) in enumerate(found):
            inks = np.array([look.paper.rgb(), *(strong if name == shown else faint)], np.uint32)
            teeth[:, number * STRIDE : number * STRIDE + TOOTH] = inks[np.minimum(on_edges(rungs, edges), 2)][:, None]
        picture = QImage(teeth.data, teeth.shape[1], teeth.shape[0], 4 * teeth.shape[1], QImage.Format.Format_RGB32)
        painter.drawImage(QPointF(left, first), picture)
        device = painter.device()
        numbers = self._numbers_of(look, device.devicePixelRatioF() if device is not None else 1.0, [name for name, _, _ in found], shown)
        painter.drawPixmap(QPointF(left - 3, first - theme.scaled(15)), numbers)
        for number, (name, ranking, _) in enumerate(found):
            x = left + number * STRIDE
            if budget is not None and ranking.before > budget:
                after = ranking.plan(budget).after
                ink = look.error if after > budget else look.blue if name == shown else look.ink_soft
                painter.fillRect(QRectF(x - 1, round(lens.y(after)), TOOTH + 2, 3 if name == shown else 2), ink)

    def _numbers_of(self, look: theme.Theme, ratio: float, names: list[str], shown: str) -> QPixmap:
        """The numbers above the combs, painted once: text is what costs most in a frame."""
        key = (id(look), look.small.pixelSize(), ratio, len(names), shown)
        if self._numbers is None or self._numbers[0] != key:
            high = theme.scaled(13)
            made = QPixmap(round((STRIDE * len(names) + 3) * ratio), round(high * ratio))
            made.setDevicePixelRatio(ratio)
            made.fill(look.paper)
            with QPainter(made) as painter:
                for number, name in enumerate(names):
                    painter.setFont(look.ui_bold if name == shown else look.small)
                    painter.setPen(look.blue if name == shown else look.ink_faint)
                    painter.drawText(QRectF(number * STRIDE, 0, TOOTH + 6, high), _LOW, str(number + 1))
            self._numbers = key, made
        return self._numbers[1]

    # -- the pointer --------------------------------------------------------------------------------------------------------------

    def at(self, x: float) -> str:
        """The strategy whose comb is at a place from the left edge of the first; "" where there is none."""
        names = list(self._model.state.rankings)
        number = int((x + 1) // STRIDE)
        return names[number] if 0 <= number < len(names) and x >= -1 else ""

    def tip(self, name: str, budget: int | None) -> str:
        """What a comb says, in words."""
        number = list(self._model.state.rankings).index(name) + 1
        _, ranking, rungs = next(one for one in self.each() if one[0] == name)
        lines = [f"{number}  {name}: {counted(len(rungs.rising), 'size')}, {full(rungs.least)} to {full(rungs.most)} tokens"]
        if budget is not None and ranking.before > budget:
            plan = ranking.plan(budget)
            near = "≈" if ranking.actions.approximate else ""
            if plan.after <= budget:
                lines.append(f"at this budget {near}{full(plan.after)}, freed {plan.freed / (plan.before - budget):.2f} × needed")
            else:
                lines.append(f"runs dry {near}{full(plan.after - budget)} above this budget")
            above = rungs.above(budget)
            if above is not None and plan.after <= budget:
                lines.append(f"one size up: {near}{fine(above)}")
        if ranking.gated:
            lines.append("goes by limits of its own: one size, whatever the budget")
        if name != self._model.state.shown:
            lines.append(f"click or Alt+{number} shows it")
        return "\n".join(lines)
