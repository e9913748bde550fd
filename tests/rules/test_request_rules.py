"""Rules that look at the whole request: what it declares, whether it thinks, its cache marks, its members."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.asked import asked, mended

MODEL = "claude-sonnet-4-5"
USER = {"role": "user", "content": "Hi"}
OK = {"role": "assistant", "content": "ok"}
TOOL = {"name": "look", "input_schema": {"type": "object"}}
SIGNATURE = "c2lnbmF0dXJl"


def request(*messages: Any, **members: Any) -> dict[str, Any]:
    return {"model": MODEL, "max_tokens": 64, **members, "messages": list(messages)}


def call(call_id: str = "toolu_1", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "look", "input": {}, **more}


def result(call_id: str = "toolu_1", content: Any = "found") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def text(words: str = "x", **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def thinking(words: str = "hm", signature: str = SIGNATURE) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": signature}


MARK, HOUR = {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}


# -- cache marks ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (request(user(text(cache_control=MARK), text(cache_control=HOUR))), "e /messages/0/content/1"),
        (request(user(text(cache_control=HOUR), text(cache_control=MARK))), ""),
        (request(user(text(cache_control=HOUR)), system=[text(cache_control=MARK)]), "e /messages/0/content/0"),
        (request(USER, system=[text(cache_control=HOUR)], tools=[{**TOOL, "cache_control": MARK}]), "e /system/0"),
        (request(USER, system=[text(cache_control=MARK)], tools=[{**TOOL, "cache_control": HOUR}]), ""),
        (request(user(text(cache_control={"type": "ephemeral", "ttl": "5m"}), text(cache_control=HOUR))), "e /messages/0/content/1"),
    ],
)
def test_marks_for_an_hour_come_first(made: dict[str, Any], expected: str) -> None:
    found = asked(made)
    assert found.places("cache-ttl-order") == expected
    if expected:
        assert "ttl='1h'" in str(found.one("cache-ttl-order").provider_error)
        assert len(found.one("cache-ttl-order").fixes) == 2
        after = mended(made)
        assert after.after.report.verdict == "accept"
        assert set(after.effects) == {"exact"}


def test_the_earlier_marks_may_hold_for_an_hour_instead() -> None:
    from app.pipeline.apply import apply
    from app.pipeline.check import check
    from app.pipeline.view import make_view
    from app.providers import PROVIDERS

    found = asked(request(user(text(cache_control=MARK), text("y", cache_control=HOUR), text("z", cache_control=MARK))))
    fix = found.one("cache-ttl-order").fixes[1]
    assert len(fix.edits) == 1  # the mark behind the last one for an hour stays what it is
    edited = apply(found.dump.transcripts[0], [fix], PROVIDERS["anthropic"]).transcript
    assert "cache-ttl-order" not in check(make_view(edited), PROVIDERS["anthropic"], None, "complete", found.dump).counts


# -- tools ------------------------------------------------------------------------------------------------------------------------


def test_tools_have_names_of_their_own() -> None:
    other = {"name": "look", "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}}}
    made = request(USER, tools=[TOOL, other, TOOL, {"type": "web_search_20250305", "name": "web_search"}])
    assert asked(made).places("tool-names-not-unique") == "e /tools/1 e /tools/2"
    after = mended(made)
    assert [tool["name"] for tool in after.request["tools"]] == ["look", "look_2", "web_search"]
    assert after.after.report.verdict == "accept"
    assert asked(request(USER, tools=[TOOL, {**TOOL, "name": "find"}])).places("tool-names-not-unique") == ""


def test_one_tool_is_loaded_at_once() -> None:
    deferred = {**TOOL, "defer_loading": True}
    made = request(USER, tools=[deferred, {**deferred, "name": "find"}])
    assert asked(made).places("tools-all-deferred") == "e /tools/0"
    after = mended(made)
    assert after.request["tools"] == [TOOL, {**deferred, "name": "find"}]
    assert after.after.report.verdict == "accept"
    search = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
    assert asked(request(USER, tools=[deferred, search])).places("tools-all-deferred") == ""
    assert asked(request(USER, tools=[{**TOOL, "defer_loading": False}])).places("tools-all-deferred") == ""


def reference(name: str) -> dict[str, Any]:
    return {"type": "tool_reference", "tool_name": name}


def test_references_lead_to_tools_that_are_declared() -> None:
    def made(content: Any, **more: Any) -> dict[str, Any]:
        return request(USER, assistant(call()), user(result(content=content)), **more)

    both = made([reference("look"), reference("gone")], tools=[TOOL])
    found = asked(both)
    assert found.places("tool-reference-unknown") == "e /messages/2/content/0"
    assert found.one("tool-reference-unknown").provider_error == "Tool reference 'gone' not found in available tools"
    after = mended(both)
    assert after.request["messages"][2]["content"][0]["content"] == [reference("look")]
    assert after.after.report.verdict == "accept"
    only = mended(made([reference("gone")], tools=[TOOL]))
    assert only.request["messages"][2]["content"][0]["content"] == [text("[what it refers to is no longer declared]")]
    assert asked(made([reference("look")], tools=[TOOL])).places("tool-reference-unknown") == ""
    assert asked(made([reference("a_b")], mcp_servers=[{"type": "url", "name": "a", "url": "x"}])).places("tool-reference-unknown") == ""
    bare = made([reference("gone")], tools=[TOOL])["messages"]
    assert asked(bare).places("tool-reference-unknown") == ""  # a list by itself is no request


def test_a_search_that_found_what_is_gone_goes() -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_bm25", "input": {"query": "x"}}
    found = {
        "type": "tool_search_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": {"type": "tool_search_tool_search_result", "tool_references": [reference("gone")]},
    }
    tools = [TOOL, {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}]
    made = request(USER, assistant(search, found, text("so")), USER, tools=tools)
    assert asked(made).places("tool-reference-unknown") == "e /messages/1/content/1"
    assert mended(made).request["messages"][1]["content"] == [text("so")]


# -- tools of the provider ------------------------------------------------------------------------------------------------------------


def server(name: str, call_id: str = "srvtoolu_1", kind: str = "server_tool_use") -> dict[str, Any]:
    return {"type": kind, "id": call_id, "name": name, "input": {}}


@pytest.mark.parametrize(
    ("name", "kind", "members", "expected"),
    [
        ("web_search", "server_tool_use", {"tools": [TOOL]}, "e /messages/1/content/0"),
        ("web_search", "server_tool_use", {}, "e /messages/1/content/0"),
        ("web_search", "server_tool_use", {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, ""),
        ("bash_code_execution", "server_tool_use", {"tools": [{"type": "code_execution_20260120", "name": "code_execution"}]}, ""),
        ("bash_code_execution", "server_tool_use", {"tools": [TOOL]}, "e /messages/1/content/0"),
        ("tool_search_tool_regex", "server_tool_use", {"tools": [{"type": "tool_search_tool_regex_20251119", "name": "s"}]}, ""),
        ("ask", "mcp_tool_use", {"mcp_servers": [{"type": "url", "name": "a", "url": "x"}]}, ""),
        ("ask", "mcp_tool_use", {"tools": [TOOL]}, "e /messages/1/content/0"),
    ],
)
def test_an_open_call_of_the_provider_needs_its_tool(name: str, kind: str, members: dict[str, Any], expected: str) -> None:
    made = request(USER, assistant(server(name, kind=kind), call()), user(result()), **members)
    assert asked(made).places("server-tool-not-declared") == expected
    if expected:
        after = mended(made)
        assert after.request["messages"][1]["content"] == [call()]
        assert after.after.report.verdict == "accept"


def test_a_closed_call_of_the_provider_needs_none_but_the_advisor() -> None:
    closed = [server("web_search"), {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}, text()]
    assert asked(request(USER, assistant(*closed), USER)).places("server-tool-not-declared") == ""
    advised = [server("advisor"), {"type": "advisor_tool_result", "tool_use_id": "srvtoolu_1", "content": {}}, text()]
    made = request(USER, assistant(*advised), USER)
    assert asked(made).places("server-tool-not-declared") == "e /messages/1/content/0"
    assert mended(made).request["messages"][1]["content"] == [text()]
    known = request(USER, assistant(*advised), USER, tools=[{"type": "advisor_20260301", "name": "advisor"}])
    assert asked(known).places("server-tool-not-declared") == ""


CODE = {"type": "code_execution_20260120", "name": "code_execution"}
CALLER = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
ONLY_CODE = {**TOOL, "allowed_callers": ["code_execution_20260120"]}


def test_code_that_waits_needs_its_container() -> None:
    running = [server("code_execution"), call(caller=CALLER), call("toolu_2", caller=CALLER)]
    made = request(USER, assistant(*running), user(result(), result("toolu_2")), tools=[CODE, TOOL])
    found = asked(made)
    assert found.places("container-missing") == "e /messages/1/content/1"
    assert found.one("container-missing").ids == ("toolu_1", "toolu_2")
    assert mended(made).request["messages"] == [USER]
    assert asked({**made, "container": "container_1"}).places("container-missing") == ""
    direct = request(USER, assistant(call(caller={"type": "direct"})), user(result()), tools=[TOOL])
    assert asked(direct).places("container-missing") == ""
    older = request(*made["messages"], OK, USER, tools=[CODE, TOOL])
    assert asked(older).places("container-missing") == ""


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ([TOOL], "e /container"),
        ([], "e /container"),
        ([CODE], ""),
        ([{"type": "web_search_20260209", "name": "web_search"}], ""),
        ([{"type": "web_search_20250305", "name": "web_search"}], "e /container"),
    ],
)
def test_a_container_is_named_for_code_only(tools: list[Any], expected: str) -> None:
    made = request(USER, tools=tools, container="container_1")
    assert asked(made).places("container-unexpected") == expected
    if expected:
        assert "container" not in mended(made).request
    assert asked(request(USER, tools=tools, container=None)).places("container-unexpected") == ""


def test_a_call_that_code_made_says_so() -> None:
    lost = request(USER, assistant(server("code_execution"), call()), user(result()), tools=[CODE, ONLY_CODE], container="c")
    found = asked(lost)
    assert found.places("caller-field-dropped") == "e /messages/1/content/1"
    assert "srvtoolu_1" in str(found.one("caller-field-dropped").provider_error)
    after = mended(lost)
    assert after.request["messages"][1]["content"][1] == call(caller=CALLER)
    assert after.after.report.verdict == "accept"
    said = request(USER, assistant(server("code_execution"), call(caller=CALLER)), user(result()), tools=[CODE, ONLY_CODE], container="c")
    assert asked(said).errors() == []
    both = {**TOOL, "allowed_callers": ["direct", "code_execution_20260120"]}
    free = request(USER, assistant(server("code_execution"), call()), user(result()), tools=[CODE, both], container="c")
    assert asked(free).places("caller-field-dropped") == ""
    alone = request(USER, assistant(call()), user(result()), tools=[CODE, ONLY_CODE])
    assert asked(alone).places("caller-field-dropped") == ""


# -- compaction and context edits -------------------------------------------------------------------------------------------------------


def test_a_compaction_has_content() -> None:
    made = request(USER, assistant({"type": "compaction", "content": ""}, text()), USER)
    found = asked(made)
    assert found.places("compaction-content-empty") == "e /messages/1/content/0"
    assert mended(made).request["messages"][1]["content"] == [text()]
    failed = request(USER, assistant({"type": "compaction", "content": None}, text()), USER)
    assert asked(failed).errors() == []


def test_what_a_compaction_left_behind_is_a_warning() -> None:
    old = [USER, assistant(call()), user(result())]
    made = request(*old, assistant({"type": "compaction", "content": "so far"}, text()), USER)
    found = asked(made)
    assert found.places("compaction-before-content") == "w /messages/3/content/0"
    assert found.report.verdict == "accept"
    after = mended(made, rules=("compaction-before-content",))
    assert after.request["messages"] == made["messages"][3:]
    assert asked(request(assistant({"type": "compaction", "content": "x"}), USER)).places("compaction-before-content") == ""


CLEAR = {"type": "clear_thinking_20251015", "keep": "all"}
USES = {"type": "clear_tool_uses_20250919"}
ENABLED = {"type": "enabled", "budget_tokens": 1024}


@pytest.mark.parametrize(
    ("edits", "thinks", "expected"),
    [
        ([CLEAR], None, "e /context_management/edits/0"),
        ([CLEAR], {"type": "disabled"}, "e /context_management/edits/0"),
        ([CLEAR], ENABLED, ""),
        ([CLEAR], {"type": "adaptive"}, ""),
        ([USES, CLEAR], ENABLED, "e /context_management/edits/1"),
        ([CLEAR, USES], ENABLED, ""),
        ([USES], None, ""),
    ],
)
def test_thinking_is_cleared_where_there_is_some(edits: list[Any], thinks: Any, expected: str) -> None:
    members = {"context_management": {"edits": edits}, **({"thinking": thinks} if thinks else {})}
    made = request(USER, **members)
    assert asked(made).places("context-edit-needs-thinking") == expected
    if expected:
        after = mended(made)
        assert after.after.report.verdict == "accept"
        left = after.request.get("context_management", {}).get("edits", [])
        assert left == ([CLEAR, USES] if thinks == ENABLED else [edit for edit in edits if edit != CLEAR])


# -- thinking ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "members", "expected"),
    [
        ([USER, assistant(thinking(), text())], {}, "e /messages/1/content/0"),
        ([USER, assistant(thinking(), text())], {"thinking": {"type": "disabled"}}, "e /messages/1/content/0"),
        ([USER, assistant(thinking(), text())], {"thinking": ENABLED}, ""),
        ([USER, assistant(thinking(), text()), USER], {}, ""),
        ([USER, assistant(thinking(), call()), user(result())], {}, "w /messages/1/content/0"),
        ([USER, assistant(thinking(), call()), user(result())], {"thinking": ENABLED}, ""),
        ([USER, assistant(thinking(), call()), user(result())], {"model": "claude-opus-5"}, ""),
    ],
)
def test_a_request_that_does_not_think_ends_without_thinking(messages: list[Any], members: dict[str, Any], expected: str) -> None:
    made = request(*messages, **members)
    assert asked(made).places("reasoning-while-disabled") == expected
    assert asked(messages).places("reasoning-while-disabled") == ""
    if expected.startswith("e"):
        assert asked(made, mode="prefix").places("reasoning-while-disabled") == ""
        after = mended(made)
        assert after.request["messages"][-1] == {"role": "user", "content": "Continue."}
        assert after.after.report.verdict == "accept"


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (thinking("", ""), ["reasoning-empty"]),
        (thinking("", SIGNATURE), []),
        (thinking("hm", ""), ["reasoning-signature-missing"]),
        ({"type": "thinking", "thinking": ""}, ["reasoning-empty"]),
    ],
)
def test_empty_thinking(block: dict[str, Any], expected: list[str]) -> None:
    made = request(USER, assistant(block, text()), USER)
    assert asked(made).errors() == expected
    if expected == ["reasoning-empty"]:
        after = mended(made)
        assert after.request["messages"][1]["content"] == [text()]
        assert after.effects == ["exact"]


@pytest.mark.parametrize(
    ("turn", "members", "expected"),
    [
        ([text(), thinking(), call()], {"thinking": ENABLED}, "w /messages/1/content/1"),
        ([text(), thinking(), call()], {}, "w /messages/1/content/1"),
        ([text(), thinking(), call()], {"thinking": {"type": "adaptive"}}, ""),
        ([text(), thinking(), call()], {"model": "claude-sonnet-5"}, ""),
        ([thinking(), text(), call()], {}, ""),
        ([text(""), thinking(), call()], {}, ""),
    ],
)
def test_thinking_comes_first(turn: list[Any], members: dict[str, Any], expected: str) -> None:
    made = request(USER, assistant(*turn), user(result()), OK, USER, **members)
    assert asked(made).places("reasoning-not-first") == expected


# -- members of other dialects ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "expected", "effect"),
    [
        (request({**USER, "id": "msg_1"}), "e /messages/0/id", "exact"),
        (request(USER, {**OK, "reasoning_content": "hm"}, USER), "e /messages/1/reasoning_content", "loses"),
        (request(USER, {**assistant(call()), "tool_calls": [{"id": "toolu_1"}]}, user(result())), "e /messages/1/tool_calls", "exact"),
        (request(USER, {**assistant(call()), "tool_calls": [{"id": "toolu_9"}]}, user(result())), "e /messages/1/tool_calls", "loses"),
        (request(USER, {**OK, "tool_calls": []}, USER), "e /messages/1/tool_calls", "exact"),
        (request(user(text(id="t1"))), "e /messages/0/content/0/id", "exact"),
        (request(USER, assistant(call(index=1)), user(result())), "e /messages/1/content/0/index", "exact"),
        (request(USER, assistant(call(text="look")), user(result())), "e /messages/1/content/0/text", "loses"),
        (request(USER, system=[text(id="s1")]), "e /system/0/id", "exact"),
        (request(USER, response_format={"type": "text"}), "e /response_format", "exact"),
        (request(USER, OK, USER, metadata={"user_id": "u"}, temperature=1), "", ""),
        (request(USER, assistant(call(caller={"type": "direct"})), user(result())), "", ""),
    ],
)
def test_members_of_another_dialect(made: dict[str, Any], expected: str, effect: str) -> None:
    found = asked(made)
    assert found.places("unknown-field") == expected
    if expected:
        assert str(found.one("unknown-field").provider_error).endswith("Extra inputs are not permitted")
        assert found.one("unknown-field").fixes[0].effect == effect
        after = mended(made)
        assert after.after.report.verdict == "accept"
        assert after.effects == [effect]


def test_several_members_go_together() -> None:
    mixed = {**assistant(call(index=0), text(id="t")), "id": "msg_1", "tool_calls": [{"id": "toolu_1"}], "refusal": None}
    made = request(USER, mixed, user(result()))
    assert asked(made).places("unknown-field") == "e /messages/1/id"
    after = mended(made)
    assert after.request["messages"][1] == assistant(call(), text())


def test_an_answer_by_itself_has_members_of_its_own() -> None:
    answer = {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": [text()], "stop_reason": "end_turn"}
    assert asked(answer).places("unknown-field") == ""
