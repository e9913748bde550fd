"""Presets without a package's cases: what their specification says, on small talks whose right answer is known."""

from __future__ import annotations

import json
from typing import Any

from tests.presets.imitating import imitate, written

OLD = "[Old tool result content cleared]"
Message = dict[str, Any]


def call(number: int, name: str = "read", arguments: str = "{}") -> Message:
    one = {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [one]}


def result(number: int, text: str) -> Message:
    return {"role": "tool", "tool_call_id": f"c{number}", "content": text}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def said(text: str) -> Message:
    return {"role": "assistant", "content": text}


def run(preset: str, messages: list[Message], **params: Any) -> list[Message]:
    found: list[Message] = json.loads(imitate(written(messages), preset, params, "openai-chat").data)
    return found


def results(messages: list[Message]) -> list[str]:
    return [message["content"] for message in messages if message["role"] == "tool"]


def loop(count: int, text: str = "line one\nline two") -> list[Message]:
    """A prompt, so many calls with their results, an answer."""
    steps = [one for number in range(count) for one in (call(number), result(number, f"{text} {number}"))]
    return [user("go"), *steps, said("done")]


def test_swe_agent_keeps_the_first_and_the_newest_observations() -> None:
    assert results(run("swe-agent-last-n", loop(5), n=2)) == [
        "line one\nline two 0", "Old environment output: (2 lines omitted)", "Old environment output: (2 lines omitted)",
        "line one\nline two 3", "line one\nline two 4",
    ]  # fmt: skip
    # with polling 4 the cut stands where it stood after the fourth
    assert [text.startswith("Old") for text in results(run("swe-agent-last-n", loop(5), n=2, polling=4))] == [
        False,
        True,
        False,
        False,
        False,
    ]


def test_micro_compaction_counts_results_of_its_tools_and_waits_for_a_cold_cache() -> None:
    talk = [user("go"), call(0, "Read"), result(0, "a"), call(1, "mail"), result(1, "b"), call(2, "bash"), result(2, "c"), said("done")]
    assert results(run("claude-code-microcompact", talk, keep=1)) == [OLD, "b", "c"]
    assert run("claude-code-microcompact", talk, keep=1, idle_minutes=59) == talk
    assert run("claude-code-microcompact", talk, keep=2) == talk


def test_opencode_counts_results_before_the_second_prompt_from_the_end() -> None:
    talk = [*loop(4, "x" * 398), user("two"), said("yes"), user("three"), said("no")]
    # 100 tokens a result (400 characters): the two newest are within 250, the third makes it 300
    assert results(run("opencode-prune", talk, PRUNE_PROTECT=250, PRUNE_MINIMUM=199)) == [OLD, OLD, "x" * 398 + " 2", "x" * 398 + " 3"]
    assert run("opencode-prune", talk, PRUNE_PROTECT=250, PRUNE_MINIMUM=200) == talk  # more than so many must go
    assert run("opencode-prune", loop(4, "x" * 398), PRUNE_PROTECT=0, PRUNE_MINIMUM=0) == loop(4, "x" * 398)  # one prompt: never
    done = run("opencode-prune", talk, PRUNE_PROTECT=250, PRUNE_MINIMUM=199)
    assert run("opencode-prune", done, PRUNE_PROTECT=250, PRUNE_MINIMUM=0) == done  # it stops at what was pruned


def test_openclaw_cuts_first_and_clears_until_it_is_below() -> None:
    talk = [user("go"), call(0), result(0, "a" * 5_000), call(1), result(1, "b" * 5_000), said("x"), user("y"), said("z"), said("w")]
    cut = {"contextWindow": 5_000, "softTrimRatio": 0.3, "hardClearRatio": 0.5}
    note = "\n\n[Tool result trimmed: kept first 1500 chars and last 1500 chars of 5000 chars.]"
    short = [f"{letter * 1500}\n...\n{letter * 1500}{note}" for letter in "ab"]
    assert results(run("openclaw-ttl-prune", talk, **cut)) == short
    hard = {**cut, "contextWindow": 2_000, "minPrunableToolChars": 6_000}  # 6,184 of 8,000 characters; one cleared leaves 3,100
    assert results(run("openclaw-ttl-prune", talk, **hard)) == [OLD, short[1]]
    assert results(run("openclaw-ttl-prune", talk, **{**hard, "minPrunableToolChars": 10_000})) == short
    assert run("openclaw-ttl-prune", talk, **cut, idle_minutes=4) == talk
    assert run("openclaw-ttl-prune", talk, contextWindow=100_000) == talk


def test_codex_cuts_the_middle_by_bytes_and_says_how_many_lines_there_were() -> None:
    text = "é" * 10 + "\n" + "z" * 20  # 41 bytes
    [short] = results(run("codex-truncate", [user("go"), call(0), result(0, text), said("x")], tokens=4))
    assert short == "Total output lines: 2\n\n" + "é" * 4 + "…7 tokens truncated…" + "z" * 8  # 8 of the 16 bytes at each side, 25 missing
    assert results(run("codex-truncate", [user("go"), call(0), result(0, "z" * 16), said("x")], tokens=4)) == ["z" * 16]


def test_codex_keeps_what_the_person_wrote_newest_first() -> None:
    talk = [user("a" * 40), said("b"), user("c" * 40), call(0), result(0, "d"), said("e")]
    assert run("codex-compact", talk, max_tokens=12, summary="sum") == [
        user("aaaa…8 tokens truncated…aaaa"), user("c" * 40), user("sum"),
    ]  # fmt: skip
    assert run("codex-compact", talk, max_tokens=10, summary="sum") == [user("c" * 40), user("sum")]


def test_codex_answers_open_calls_and_drops_outputs_without_a_call() -> None:
    talk = [user("a"), call(0), user("b"), result(9, "orphan"), call(1), result(1, "x"), said("y")]
    assert run("codex-normalize", talk) == [
        user("a"), call(0), result(0, "aborted"), user("b"), call(1), result(1, "x"), said("y"),
    ]  # fmt: skip


def test_gemini_masks_what_is_older_than_the_newest_tokens() -> None:
    contents: list[Message] = [{"role": "user", "parts": [{"text": "go"}]}]
    for number in range(3):
        contents.append({"role": "model", "parts": [{"functionCall": {"name": "look", "args": {"n": number}}}]})
        answer = {"functionResponse": {"name": "look", "response": {"output": str(number) * 2_000}}}
        contents.append({"role": "user", "parts": [answer]})
    contents.append({"role": "model", "parts": [{"text": "done"}]})
    params = {"toolProtectionThreshold": 600, "minPrunableTokensThreshold": 1_000, "path": "PATH"}  # 504 tokens each
    out = json.loads(imitate(written({"contents": contents}), "gemini-mask", params, "gemini").data)["contents"]
    told = [part["functionResponse"]["response"]["output"] for content in out for part in content["parts"] if "functionResponse" in part]
    head, tail = '{\n  "output": "', '"\n}'
    masked = [head + letter * (250 - len(head)) + "\n... [TRUNCATED] ...\n" + letter * (250 - len(tail)) + tail for letter in "01"]
    end = "\n\nOutput too large. Full output available at: PATH\n</tool_output_masked>"
    assert told == [*(f"<tool_output_masked>\n{preview}{end}" for preview in masked), "2" * 2_000]
    more = {**params, "minPrunableTokensThreshold": 1_009}
    assert json.loads(imitate(written({"contents": contents}), "gemini-mask", more, "gemini").data)["contents"] == contents


def test_cline_takes_messages_out_after_the_first_pair_and_parts_pairs() -> None:
    talk = loop(5)  # 12 messages: a prompt, five pairs, an answer
    assert run("cline-half", talk) == [*talk[:2], *talk[6:]]  # 4 of the 10 after the first pair
    mended = run("cline-half", talk, repair=True)
    assert mended[:3] == [talk[0], talk[1], result(0, "result missing")]
    assert mended[3:] == talk[7:]
    assert run("cline-quarter", talk) == [*talk[:2], *talk[8:]]
    said_first = [user("a"), said("b"), *talk]  # the first assistant's text becomes the notice
    cut = run("cline-half", said_first, notice="cut")
    assert cut == [user("a"), said("cut"), *talk[6:]]


def test_roo_hides_an_even_number_after_the_first_and_mends() -> None:
    talk = loop(3)  # 8 messages, 3 of 7 hidden: 2
    marker = user("[Sliding window truncation: 2 messages hidden to reduce context]")
    assert run("roo-sliding", talk) == [talk[0], marker, *talk[3:]]
    assert run("roo-sliding", talk, fracToRemove=0.1) == talk
    odd = [user("a"), said("b"), call(0), result(0, "x"), said("c"), user("d")]  # the call is hidden, its result goes too
    assert run("roo-sliding", odd, fracToRemove=0.5) == [odd[0], marker, *odd[4:]]


def test_agent_framework_puts_old_results_into_a_line_and_then_drops_groups() -> None:
    talk = loop(4, "x" * 80)
    params = {
        "max_context_window_tokens": 200,
        "max_output_tokens": 20,
        "keep_last_tool_call_groups": 1,
    }  # at 90 it evicts, at 144 it truncates
    out = run("agent-framework-window", talk, **params)
    assert out == [user("go"), *(said(f"[Tool results: read: {'x' * 80} {n}]") for n in range(3)), *talk[7:]]
    small = {**params, "max_context_window_tokens": 100}  # 40 and 64: what was evicted goes as well
    assert run("agent-framework-window", talk, **small) == talk[7:]
    assert run("agent-framework-window", talk) == talk


def test_repeated_calls_keep_the_newest_output() -> None:
    same, other = '{"path":"a","n":null}', '{"path":"b"}'
    talk = [
        user("go"), call(0, "read", same), result(0, "old"), call(1, "read", other), result(1, "b"),
        call(2, "read", '{ "path": "a" }'), result(2, "new"),
        call(3, "write", other), result(3, "w"), call(4, "write", other), result(4, "w"),
    ]  # fmt: skip
    gone = "[Output removed to save context - information superseded or no longer needed]"
    assert results(run("dedupe-calls", talk)) == [gone, "b", "new", "w", "w"]
    assert results(run("dedupe-calls", talk, protectedTools=[])) == [gone, "b", "new", gone, "w"]


def test_arguments_of_failed_calls_go_some_turns_later() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "write", "input": {"path": "a", "text": "long", "n": 3}}
    failed = {"type": "tool_result", "tool_use_id": "t1", "content": "no such folder", "is_error": True}
    talk = [user("go"), {"role": "assistant", "content": [use]}, {"role": "user", "content": [failed]}, said("x"), user("y"), said("z")]
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": talk}
    out = json.loads(imitate(written(body), "purge-error-inputs", {"turns": 1}, "anthropic").data)["messages"]
    purged = "[input removed due to failed tool call]"
    assert out[1]["content"][0]["input"] == {"path": purged, "text": purged, "n": 3}
    assert out[2] == talk[2]
    assert json.loads(imitate(written(body), "purge-error-inputs", {"turns": 2}, "anthropic").data)["messages"] == talk


def test_a_raw_limit_parts_a_call_from_its_result() -> None:
    talk = loop(3)
    assert run("naive-last-n", talk, limit=2) == talk[6:]
    assert run("naive-last-n", talk, limit=8) == talk


def test_the_pydantic_harness_clears_all_or_nothing() -> None:
    talk = loop(3, "x" * 78)
    assert results(run("pydantic-clear", talk, keep_pairs=1, min_clear_tokens=28)) == ["[tool result cleared]"] * 2 + ["x" * 78 + " 2"]
    assert run("pydantic-clear", talk, keep_pairs=1, min_clear_tokens=29) == talk  # 20 less 6 tokens, twice
    assert run("pydantic-clear", talk, max_tokens=10_000) == talk


def test_openai_keeps_the_person_s_words() -> None:
    talk = [user("a"), said("b"), user("c"), call(0), result(0, "d"), said("e")]
    assert run("openai-compact", talk, compact_threshold=1, summary="sum") == [user("a"), user("c"), user("sum")]
    assert run("openai-compact", talk) == talk


def test_anthropic_keeps_the_newest_answer_and_what_follows() -> None:
    talk = [user("a" * 200_000), said("b"), user("c"), call(0), result(0, "d")]
    assert run("anthropic-compact", talk, trigger=50_000, summary="sum") == [user("sum"), *talk[3:]]
    assert run("anthropic-compact", talk, trigger=50_000, polyfill=True, summary="sum") == [user("sum"), user("c")]
    assert run("anthropic-compact", talk, trigger=50_100) == talk


def test_opencode_keeps_the_newest_whole_turns() -> None:
    talk = [user("a"), said("b" * 10_000), user("c"), said("d"), user("e"), said("f")]
    compacted = [user("What did we do so far?"), said("sum")]
    assert run("opencode-compact", talk, context=8_000, max_output=100, trigger=1, summary="sum") == [*compacted, *talk[2:]]
    split = [user("a"), said("b" * 10_000), said("c")]  # the newest turn alone is too large
    assert run("opencode-compact", split, context=8_000, max_output=100, trigger=1, summary="sum") == [*compacted, said("c")]
    assert run("opencode-compact", talk) == talk


def test_openhands_forgets_the_middle_at_safe_places() -> None:
    talk = loop(6)  # 14 events; half of 10 stay: the first two, and two at the end, both reaching to safe places
    assert run("openhands-condense", talk, max_size=10, summary="sum") == [*talk[:3], user("sum"), *talk[13:]]
    assert run("openhands-condense", talk) == talk
    assert run("openhands-condense", talk, max_size=10, minimum_progress=0.9) == talk
