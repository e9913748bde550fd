"""Rules of OpenAI's Responses, row by row of the evidence: what is refused, what is only disputed, what is taken; and every repair."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.findings import Report
from app.model.source import Source
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.providers import PROVIDERS
from tests.responses import found, judged, opened, request
from tests.slow_responses import findings

LONG = "x" * 65
STATELESS = {"store": False}

REFUSED = [
    # pairs
    ("u | f 1 | u", "e tool-call-unanswered 1", {}),
    ("u | c 1 | u", "e tool-call-unanswered 1", {}),
    ("u | p 1 | h 2 | l 3 | u", "e tool-call-unanswered 1, e tool-call-unanswered 2, e tool-call-unanswered 3", {}),
    ("u | x 1 | u", "e tool-call-unanswered 1", {}),
    ("u | t 1 | u", "e tool-call-unanswered 1", {}),
    ("u | f 1 | f 2 | o 1 | u", "e tool-call-partially-answered 2", {}),
    ("u | f 1 | a | f 2 | f 3 | o 1 | u", "e tool-call-partially-answered 3, e tool-call-partially-answered 4", {}),
    ("u | f 1 | o 1 | f 2 | u", "e tool-call-unanswered 3", {}),
    ("u | f 1", "e tool-call-trailing 1", {}),
    ("u | f 1 | a", "e tool-call-trailing 1", {}),
    ("u | f 1 | f 2 | o 2", "e tool-call-partially-answered 1", {}),
    ("o 1 | a | u", "e tool-result-orphan 0", {}),
    ("u | a | oc 1", "e tool-result-orphan 2", {}),
    ("u | f 1 | o 2 | u", "e tool-call-unanswered 1, e tool-result-orphan 2", {}),
    ("u | f 1 | o - | u", "e tool-call-unanswered 1, e tool-result-id-missing 2", {}),
    ('u | f 1 | o "" | u', "e tool-call-unanswered 1, e tool-result-id-missing 2", {}),
    ('u | f "" | o "" | u', "e id-format 1, e id-format 2", {}),
    ("u | f - | u", "e id-format 1, e tool-call-unanswered 1", {}),
    (f"u | f {LONG} | o {LONG} | u", "e id-format 1, e id-format 2", {}),
    ("u | f 1 | f 1 | o 1 | o 1 | u", "e tool-call-id-duplicate 2", {}),
    ("u | f 1 | f 1 | o 1 | u", "e tool-call-id-duplicate 2", {}),
    # items' own ids
    ("u | f#1 1 | f#1 1 | o 1", "e item-id-duplicate 2", STATELESS),
    ("u | f#1 1 | f#1 2 | o 1 | o 2", "e item-id-duplicate 2", STATELESS),
    ("u | f#1 1 | o 1 | u | f#1 1 | u", "e item-id-duplicate 4", STATELESS),
    ("u | a#1 | u | a#1", "e item-id-duplicate 3", STATELESS),
    ("u | ref#=fc_1 | f#1 1 | o 1", "e item-id-duplicate 2", {"model": "gpt-4.1"}),
    ("u | f#=call_1 call_1 | o call_1", "e id-format 1", STATELESS),
    ("u | f#=toolu_1 1 | c#=fc_1 2 | o 1 | oc 2", "e id-format 1, e id-format 2", STATELESS),
    ("u | a#=resp_1_msg | u", "e id-format 1", STATELESS),
    ("u | w#=call_00_A | a | u", "e id-format 1", STATELESS),
    ("u | re#=item_1 | a#1", "e id-format 1", STATELESS),
    ("u#=019f | a", "e id-format 0", {}),
    (f"u | a#=msg_{LONG} | u", "e id-format 1", STATELESS),
    ("u | f 1 | o#=ctco_1 1", "e id-format 2", {}),
    # reasoning
    ("u | r#1 | u", "e reasoning-unpaired 1", {}),
    ("u | r#1 | a", "e reasoning-unpaired 1", {}),
    ("u | r#1", "e reasoning-unpaired 1", {}),
    ("u | f#1 1 | r#1 | o 1 | u", "e reasoning-unpaired 2", {}),
    ("u | r#1 | r#2 | f 1 | o 1", "e reasoning-unpaired 1, e reasoning-unpaired 2", {}),
    ("u | re#1 | u", "e reasoning-unpaired 1", {}),
    ("u | r#1 | f#1 1 | o 1", "e item-not-persisted 1", STATELESS),
    ("u | r#1 | u", "e item-not-persisted 1, e reasoning-unpaired 1", STATELESS),
    ("u | ref#=fc_1 | a", "e item-not-persisted 1", STATELESS),
]

DISPUTED = [
    ("u | f 1 | o 1 | o 1", "w tool-result-duplicate 3", {}),
    ("u | f 1 | o 1 | u | f 1 | o 1", "w tool-call-id-duplicate 4", {}),
    ("u | o 1 | f 1 | u", "w tool-result-orphan 1", {}),
    ("u | ref#=fc_1 | o 1", "w tool-result-orphan 2", {}),
    ("u | f#1 1 | o 1 | f#2 2 | o 2", "w reasoning-unpaired 1, w reasoning-unpaired 3", {}),
    ("u | a#1 | f#1 1 | o 1", "w reasoning-unpaired 1", {}),
    ("u | f 1 | oc 1", "w call-output-family-mismatch 2", {}),
    ("u | t 1 | o 1", "w call-output-family-mismatch 2", {}),
    ("u | l 1 | ol 1", "w local-shell-id 2", {}),
    ("u | f 1 | u", "w tool-call-unanswered 1", {"previous_response_id": "resp_1"}),
    ("u | m#=x_1 | a | u", "w id-format 1", STATELESS),
]

TAKEN = [
    ("u | f 1 | f 2 | a | o 2 | o 1", {}),
    ("u | f 1 | o 1 | f 2 | o 2 | u", {}),
    ("u | r#1 | f#1 1 | f#2 2 | o 1 | o 2 | u", {}),
    ("u | re#1 | a#1 | f#1 1 | o 1", {}),
    ("u | re#1 | f 1 | o 1", STATELESS),
    ("u | re#1 | u", STATELESS),
    ("u | r | f 1 | o 1", STATELESS),
    ("u | r#1 | f#1 1 | o 1", {"store": False, "previous_response_id": "resp_1"}),
    ("o 1", {"previous_response_id": "resp_1", "store": True}),
    ("o 1 | u", {"conversation": {"id": "conv_1"}}),
    ("u | ts null | ots null | f#1 1 | o 1", {"model": "gpt-4.1"}),
    ("u | ts#1 tsc_1 | f 1 | o 1", STATELESS),
    ("u | t null | ot null | u", {}),
    ("u | t 1 | ot 1 | u", {}),
    ("u | r#1 | w#1 | r#2 | a#1 | u", {}),
    ("u | r#1 | m#1 | r#2 | a#1 | u", {}),
    ("u | a | u | a | k#1 | u", {}),
    ("k#1 | u", {}),
    ("a | u | u | s | d", {}),
    ("u | f#1 1 | o 1", {"model": "gpt-4.1"}),
    ("u | f#1 1 | o 1", STATELESS),
    ("u | c 1 | f 2 | oc 1 | o 2", {}),
    ("u | h 1 | oh 1 | p 2 | op 2 | x 3 | ox 3", {}),
]


@pytest.mark.parametrize(("drawing", "want", "members"), REFUSED)
def test_what_is_refused(drawing: str, want: str, members: dict[str, Any]) -> None:
    report = judged(opened(request(drawing, **members)))
    errors = ", ".join(part for part in found(report).split(", ") if part.startswith("e "))
    assert errors == want
    assert report.verdict == "reject"


@pytest.mark.parametrize(("drawing", "want", "members"), DISPUTED)
def test_what_is_disputed(drawing: str, want: str, members: dict[str, Any]) -> None:
    report = judged(opened(request(drawing, **members)))
    assert found(report) == want
    assert report.verdict == "accept"


@pytest.mark.parametrize(("drawing", "members"), TAKEN)
def test_what_is_taken(drawing: str, members: dict[str, Any]) -> None:
    assert found(judged(opened(request(drawing, **members)))) == ""


@pytest.mark.parametrize(
    ("items", "want"),
    [
        ([{"type": "function_call_output", "call_id": "1", "output": {"a": 1}}], "e tool-output-type-invalid 2"),
        ([{"type": "function_call_output", "call_id": "1", "output": 5}], "e tool-output-type-invalid 2"),
        ([{"type": "function_call_output", "call_id": "1"}], "e tool-output-type-invalid 2"),
        ([{"type": "function_call_output", "call_id": "1", "output": ""}], ""),
        ([{"type": "function_call_output", "call_id": "1", "output": [{"type": "input_image", "file_id": "f"}]}], ""),
    ],
)
def test_outputs(items: list[Any], want: str) -> None:
    made = request("u | f 1")
    made["input"] += items
    assert found(judged(opened(made))) == want


@pytest.mark.parametrize(
    ("role", "part", "want"),
    [
        ("assistant", {"type": "input_text", "text": "x"}, "e"),
        ("user", {"type": "output_text", "text": "x"}, "e"),
        ("user", {"type": "text", "text": "x"}, "e"),
        ("user", {"type": "image_url", "image_url": {"url": "http://x"}}, "e"),
        ("user", {"type": "tool_result", "tool_use_id": "x"}, "e"),
        ("developer", {"type": "refusal", "refusal": "x"}, "e"),
        ("user", {"type": "brand_new"}, "w"),
        ("assistant", {"type": "refusal", "refusal": "x"}, ""),
        ("system", {"type": "input_text", "text": "x"}, ""),
    ],
)
def test_parts(role: str, part: dict[str, Any], want: str) -> None:
    made = {"model": "gpt-5", "input": [{"role": role, "content": [part]}, {"role": "user", "content": "y"}]}
    assert found(judged(opened(made))) == (f"{want} content-part-role-mismatch 0/content/0" if want else "")


@pytest.mark.parametrize(
    ("item", "want"),
    [
        ({"type": "context_compaction"}, "e item-type-unknown 0"),
        ({"type": "tool_use", "id": "toolu_1"}, "e item-type-unknown 0"),
        ({"role": "tool", "content": "x"}, "e item-type-unknown 0"),
        ({"nothing": 1}, "e item-type-unknown 0"),
        ({"type": "program", "call_id": "1", "code": "x"}, ""),
        ({"type": "additional_tools", "role": "developer", "tools": []}, ""),
        ({"type": "mcp_list_tools", "id": "mcpl_1", "tools": []}, ""),
        ({"type": "compaction_trigger"}, ""),
        ({"type": "compaction", "id": "cmp_1"}, "e compaction-content-empty 0"),
        ({"type": "compaction", "encrypted_content": ""}, "e compaction-content-empty 0"),
    ],
)
def test_types(item: dict[str, Any], want: str) -> None:
    assert found(judged(opened({"model": "gpt-5", "input": [item, {"role": "user", "content": "y"}]}))) == want


@pytest.mark.parametrize(
    ("call", "want"),
    [
        ({"name": "a.b", "arguments": "{}"}, "e tool-name-format 0"),
        ({"arguments": "{}"}, "e tool-name-format 0"),
        ({"name": "n" * 65, "arguments": "{}"}, "e tool-name-format 0"),
        ({"name": "f", "arguments": {"a": 1}}, "e tool-args-invalid 0"),
        ({"name": "f"}, "e tool-args-invalid 0"),
        ({"name": "f", "arguments": "{broken"}, "w tool-args-invalid 0"),
        ({"type": "custom_tool_call", "name": "f", "input": "{broken"}, ""),
        ({"type": "custom_tool_call", "name": "f", "input": {"a": 1}}, "e tool-args-invalid 0"),
        ({"type": "tool_search_call", "execution": "client", "arguments": "{}"}, "e tool-args-invalid 0"),
        ({"type": "local_shell_call", "action": {}}, ""),
    ],
)
def test_calls(call: dict[str, Any], want: str) -> None:
    made = {"type": "function_call", "call_id": "1", **call}
    family = {"custom_tool_call": "custom_tool_call_output", "local_shell_call": "local_shell_call_output"}
    output = {"type": family.get(made["type"], "function_call_output"), "call_id": "1", "output": "ok", "id": "fco_1"}
    report = judged(opened({"model": "gpt-5", "input": [made, output]}))
    assert (
        ", ".join(
            part for part in found(report).split(", ") if "family" not in part and "local-shell" not in part and "id-format" not in part
        )
        == want
    )


# -- so far, or now -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawing", "pending", "want"),
    [
        ("u | f 1", 1, ""),
        ("u | f 1 | f 2", 2, ""),
        ("u | f 1 | f 2 | o 2", 1, ""),
        ("u | f 1 | a", 1, ""),
        ("u | f 1 | o 1 | f 2", 1, ""),
        ("u | r#1", 0, ""),
        ("u | f 1 | u", 0, "e tool-call-unanswered 1"),
        ("u | f 1 | u | f 2", 1, "e tool-call-unanswered 1"),
        ("u | f 1 | f 2 | o 1 | a", 0, "e tool-call-partially-answered 2"),
    ],
)
def test_so_far(drawing: str, pending: int, want: str) -> None:
    report = judged(opened(request(drawing)), mode="prefix")
    assert found(report) == want
    assert report.pending == pending


# -- repairs ------------------------------------------------------------------------------------------------------------------------


def healed(made: dict[str, Any], level: str = "all") -> tuple[Report, dict[str, Any]]:
    """What a check says of the repaired request once it was written and read again, and the request."""
    dump = opened(made)
    provider = PROVIDERS["openai-responses"]
    _, after = repair(dump.transcripts[0], dump, provider, None, "complete", level)  # type: ignore[arg-type]
    data = b"".join(FORMATS["openai-responses"].write(dump, [after]))
    again = load(Source.of(data, "y.json"), "openai-responses")
    layer, _ = repair(again.transcripts[0], again, provider, None, "complete", level)  # type: ignore[arg-type]
    assert not layer.changes
    return judged(again), json.loads(data)


@pytest.mark.parametrize(("drawing", "want", "members"), REFUSED)
def test_every_repair_ends_without_an_error(drawing: str, want: str, members: dict[str, Any]) -> None:
    report, _ = healed(request(drawing, **members))
    assert report.verdict == "accept", found(report)


@pytest.mark.parametrize(
    ("drawing", "members", "want"),
    [
        ("u | f 1 | u", {}, "u | f 1 | made 1 | u"),
        ("u | f 1 | f 2 | o 2 | u", {}, "u | f 1 | f 2 | o 2 | made 1 | u"),
        ("u | r#1 | f#1 1 | u", {}, "u | r#1 | f#1 1 | made 1 | u"),
        ("u | x 1 | u", {}, "u | u"),
        ("u | r#1 | x#1 1 | u", {}, "u | u"),
        ("u | r#1 | x#1 1 | x#2 2 | ox 2 | u", {}, "u | r#1 | x#2 2 | ox 2 | u"),
        ("o 1 | a | u", {}, "a | u"),
        ("u | f 1 | o 2", {}, "u | f 1 | o 1"),
        ("u | f#=call_1 1 | o 1", STATELESS, "u | f 1 | o 1"),
        ("u | f#1 1 | f#1 1 | o 1", STATELESS, "u | f#1 1 | o 1"),
        ("u | f#1 1 | f#1 2 | o 1 | o 2", STATELESS, "u | f#1 1 | f 2 | o 1 | o 2"),
        ("u | re#1 | u", {}, "u | re | u"),
        ("u | r#1 | a", {}, "u | a"),
        ("u | r#1 | a#1 | f#1 1 | o 1", STATELESS, "u | a | f 1 | o 1"),
        ("u | ref#=fc_1 | a", STATELESS, "u | a"),
    ],
)
def test_what_a_repair_makes(drawing: str, members: dict[str, Any], want: str) -> None:
    _, made = healed(request(drawing, **members))
    expected = request(want.replace("made", "o"), **members)
    for number, entry in enumerate(want.split("|")):
        if "made" in entry:
            expected["input"][number]["output"] = "[no result recorded; the call may have run]"
    assert made["input"] == expected["input"]


@pytest.mark.parametrize(("drawing", "want", "members"), DISPUTED)
def test_a_disputed_finding_is_mended_by_name_only(drawing: str, want: str, members: dict[str, Any]) -> None:
    made = request(drawing, **members)
    _, untouched = healed(made)
    assert untouched == made
    dump = opened(made)
    rule = want.split()[1]
    fixes = judged(dump).findings[0].fixes
    _, after = repair(dump.transcripts[0], dump, PROVIDERS["openai-responses"], None, "complete", "none", [rule])
    assert bool(fixes) == (after is not dump.transcripts[0])
    if fixes:
        assert judged(dump, after).counts.get(rule, 0) < judged(dump).counts[rule]


@pytest.mark.parametrize(("drawing", "members"), TAKEN)
def test_what_is_clean_stays_byte_for_byte(drawing: str, members: dict[str, Any]) -> None:
    dump = opened(request(drawing, **members))
    layer, after = repair(dump.transcripts[0], dump, PROVIDERS["openai-responses"], None, "complete", "all")
    assert not layer.changes
    assert after is dump.transcripts[0]


WORDS = [
    "u", "a", "a#1", "r#1", "re#2", "r", "f 1", "f#1 1", "f 2", "c 3", "x 4", "t 5", "ts null", "o 1", "o 2", "oc 3", "ox 4", "ot 5",
    "ots null", "o 9", "o -", "w#1", "ref#=fc_7", "k#1", "f#=call_2 2", "s", "l 6", "ol 6",
]  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), st.sampled_from([{}, {"store": False}, {"conversation": "conv_1"}]))
def test_whatever_the_order_a_repair_ends_without_an_error(words: list[str], members: dict[str, Any]) -> None:
    report, _ = healed(request(" | ".join(words), **members))
    assert report.verdict == "accept", found(report)


SLOW = frozenset({
    "tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing", "tool-call-id-duplicate", "tool-result-orphan",
    "tool-result-duplicate", "tool-result-id-missing", "item-id-duplicate", "id-format", "item-not-persisted",
})  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=10),
    st.sampled_from([{}, {"store": False}, {"conversation": "conv_1"}]),
    st.sampled_from(["complete", "prefix"]),
)
def test_a_slow_checker_says_the_same(words: list[str], members: dict[str, Any], mode: Any) -> None:
    made = request(" | ".join(words), **members)
    told = {(f.severity, f.rule, f.at) for f in judged(opened(made), mode=mode).findings}
    mine = {entry for entry in told if entry[1] in SLOW or entry[:2] == ("error", "reasoning-unpaired")}
    assert mine == findings(made, mode)


# -- DeepSeek's stricter endpoint ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawing", "want"),
    [
        ("u | f 1 | f 2 | o 1 | o 2", ""),
        ("u | f 1 | f 2 | o 2 | o 1 | u", ""),
        ("u | r | f 1 | o 1 | r | f 2 | o 2", ""),
        ("u | r | r | f 1 | f 2 | o 1 | o 2", ""),
        ("u | a | f#=c830 1 | o 1", ""),
        ("u | r | a | f 1 | r | f 2 | o 1 | o 2", "e tool-result-not-adjacent 6"),
        ("u | r | f 1 | d | o 1", "e tool-result-not-adjacent 4"),
        ("u | r | f 1 | a | o 1 | u", "e tool-result-not-adjacent 4"),
        ("u | f 1 | u", "e tool-call-unanswered 1"),
        ("u | f 1 | f 2 | o 1 | u", "e tool-call-partially-answered 2"),
        ("o 1 | u", "e tool-result-orphan 0"),
        ("u | r | f 1 | f 2 | o 1 | o 2", "w reasoning-missing 3"),
    ],
)
def test_deepseek(drawing: str, want: str) -> None:
    dump = opened(request(drawing, model="deepseek-v4-flash"))
    assert found(judged(dump, provider="deepseek")) == want
    _, after = repair(dump.transcripts[0], dump, PROVIDERS["deepseek"], None, "complete", "all")
    assert judged(dump, after, "deepseek").verdict == "accept"


def test_an_output_goes_right_behind_its_call_on_deepseek() -> None:
    dump = opened(request("u | r | f 1 | r | f 2 | o 1 | o 2"))
    _, after = repair(dump.transcripts[0], dump, PROVIDERS["deepseek"], None, "complete", "safe")
    made = json.loads(b"".join(FORMATS["openai-responses"].write(dump, [after])))
    assert made["input"] == request("u | r | f 1 | o 1 | r | f 2 | o 2")["input"]


# -- recorded --------------------------------------------------------------------------------------------------------------------------


def test_recorded_requests_are_no_errors(shared: Path) -> None:
    for line in (shared / "recorded" / "openai-responses.jsonl").read_bytes().splitlines():
        row = json.loads(line)
        if row["status"] and row["status"] < 400:
            dump = load(Source.of(json.dumps(row["request"]).encode(), "r.json"))
            assert judged(dump, model=row["url_model"]).verdict == "accept"


@pytest.mark.parametrize("provider", sorted(PROVIDERS))
def test_other_providers_read_items_too(provider: str) -> None:
    dump = opened(request("u | r#1 | a#1 | f#1 1 | f#2 2 | o 1 | o 2 | a | u"))
    rules = {f.rule for f in judged(dump, provider=provider).findings if f.severity == "error"}
    assert not rules & {"tool-call-unanswered", "tool-call-partially-answered", "tool-result-orphan", "tool-result-not-adjacent"}
