"""What the chart needs of a state, made step by step, so that a large one holds nobody: a step at each turn of the event loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.model.table import Ints
from app.model.view import View
from widgets.chart_data import Contents, Requests, places_of, requests


@dataclass
class Made:
    """Columns of the transcript as opened, what they held, and what is left of it."""

    axis: Requests | None = None
    base: Contents | None = None
    live: Contents | None = None

    def steps(self, opened: View, view: View, own: Ints) -> Iterator[None]:
        """`own`: tokens by row of the table."""
        assert view.tokens is not None
        axis = requests(opened)
        yield
        opened.message.max(initial=-1)  # the view keeps its columns: gathering them is a step of its own
        yield
        base = places_of(axis, opened)
        yield
        base = base.weigh(view.tokens if opened is view else own[opened.rows])
        live = base
        if opened is not view:
            yield
            view.message.max(initial=-1)
            yield
            live = places_of(axis, view)
            yield
            live = live.weigh(view.tokens)
        self.axis, self.base, self.live = axis, base, live

    def fits(self, opened: View, view: View) -> bool:
        """Whether it is all there, and of these."""
        return self.base is not None and self.live is not None and self.base.view is opened and self.live.view is view
