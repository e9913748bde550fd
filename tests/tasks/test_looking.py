"""Tasks in which something is looked for."""

from __future__ import annotations

import json
from pathlib import Path

from app.model.kinds import Kind
from tests.tasks.reviewer import Reviewer


def test_find_the_first_fault(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    assert person.state.selected == int(person.state.report.error_rows[0])
    assert person.window.viewer.finding.finding.rule == "tool-result-orphan"
    person.did("find the first fault", 0)


def test_back_to_the_fault_from_anywhere(person: Reviewer, incident: Path) -> None:
    """Notes stand between; the strip says F8."""
    person.see(incident)
    person.session.select(int(person.state.view.rows[200]))
    person.press("F8")
    assert person.state.selected == int(person.state.report.error_rows[0])
    person.did("back to the fault", 1)


def test_find_which_tool_fills_the_window(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    person.tab("Costs")
    person.wait(lambda: person.window.costs.panel is not None and person.window.costs.panel.isVisible())
    panel = person.window.costs.panel
    person.click("costsPanel.tools")
    person.wait(lambda: panel.table.model().rowCount() > 0)
    first = panel.item()
    assert (first.tool, first.calls) == ("get_invoice", 91)
    assert panel.note.text().startswith(f"{first.tokens / person.state.now:.0%} of what would be sent now".replace("%", " %"))
    person.did("find which tool fills the window", 2)
    person.click("costsPanel.jump")  # and where it does
    assert person.state.filter.text == "tool == get_invoice"
    assert person.state.filter.way == "only"
    assert person.state.filter.matches == 2 * 91 + 1  # calls, results, and its definition


def test_from_a_call_to_its_result_and_back_over_ten_thousand_rows(person: Reviewer, tmp_path: Path) -> None:
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_far", "name": "build", "input": {}}]},
    ]
    messages += [{"role": ("user", "assistant")[n % 2], "content": f"turn {n}"} for n in range(10_000)]
    messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_far", "content": "built"}]})
    path = tmp_path / "far.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}))
    person.see(path)
    view = person.state.view
    call, result = (int((view.kind == kind).argmax()) for kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT))
    assert result - call > 9_999
    person.session.select(-1)
    person.press("F9")
    assert person.selected() == call
    person.press("P")
    assert person.selected() == result
    assert person.window.list.current_row() in person.window.list.rows_visible()
    person.press("P")
    assert person.selected() == call
    person.did("jump from a call to its result and back over 10,000 rows", 3)


def test_find_where_an_id_was_first_seen(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    person.session.select(int(person.state.view.rows[200]))
    person.press("Ctrl+F")
    person.type("in_9935")
    person.press("Return")
    person.wait(lambda: person.state.filter is not None and person.state.filter.mask is not None)
    bar = person.window.filters.bar
    person.wait(lambda: bar.first.isVisible())
    person.link(bar.first)
    words = [person.session.block(int(row)).text for row in person.state.view.rows[: person.selected() + 1]]
    assert [at for at, one in enumerate(words) if "in_9935" in one] == [person.selected()]
    assert bar.first.text() == f"first: {person.window.status.place.text().split(' · line')[0]}"
    body = person.window.viewer.body
    assert body.search.needle == "in_9935"  # it is marked in the block, and in view
    assert body.hit == 0
    person.did("find where an id was first seen", 4)


def test_find_the_request_at_which_the_cache_was_lost(person: Reviewer, claude: Path) -> None:
    person.see(claude)
    person.wait(lambda: person.window.chart.chart is not None)
    assert "cache lost" in [words for words, _ in person.window.chart.chart.legend.entries()]
    person.menu("Go", "Next lost cache")
    view = person.state.view
    assert int(view.groups.step[person.selected()]) == 5  # r6
    said = person.window.status.changes.text()
    assert said.startswith("cache lost, 1 of 1: 12 minutes since the request before")
    assert "0 tokens read from it, 8,800 at the request before" in said
    person.did("find the request at which the cache was lost", 2)


def test_where_no_usage_is_recorded_that_is_said(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    before = person.state.selected
    person.palette("lost cache")
    person.wait(lambda: "no usage with the cache's part" in person.window.status.changes.text())
    assert person.state.selected == before


def test_any_place_by_its_name(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    person.palette("E9")
    groups, view = person.state.view.groups, person.state.view
    row = int(view.rows[groups.first[9]])
    person.wait(lambda: person.state.selected == row)
    person.did("go to a place by its name", 3)
