"""What is counted of a block, and texts that break a plain call of tiktoken."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.block import Block, Media
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.pipeline.names import provider_named
from app.tokens import COUNTERS, SUMMARIES, counter
from app.tokens.counters import split
from app.tokens.vocabulary import encoding

ANTHROPIC = provider_named("anthropic")
OPENAI = provider_named("openai-chat")
BPE = ("o200k_base", "cl100k_base")


def block(kind, *texts, name=None, media=()):
    return Block(0, kind, "x", Role.USER, texts, name=name, media=media)


def test_all_counters_are_named_and_told():
    assert tuple(SUMMARIES) == COUNTERS
    assert counter("o200k_base") is counter("o200k_base")
    with pytest.raises(InspectorError, match="no counter is called 'gpt2'"):
        counter("gpt2")


def test_characters_are_divided_by_four_and_rounded_up_for_the_block():
    one = counter("chars/4")
    assert [one.count(text) for text in ("", "a", "abcd", "abcde", "請求書")] == [0, 1, 1, 2, 1]
    assert one.texts(["a", "b", "c", "d", "e"]) == 2
    assert one.block(block(Kind.TOOL_CALL, '{"a":1}', name="get"), ANTHROPIC) == 3 + ANTHROPIC.overhead.call


@pytest.mark.parametrize("name", BPE)
def test_a_call_is_its_name_its_arguments_and_overhead(name):
    one = counter(name)
    want = one.count("get_invoice") + one.count('{"id":"in_1"}') + 3
    assert one.block(block(Kind.TOOL_CALL, '{"id":"in_1"}', name="get_invoice"), ANTHROPIC) == want
    assert one.block(block(Kind.TOOL_CALL, name=None), ANTHROPIC) == 3


@pytest.mark.parametrize("name", BPE)
def test_parts_of_a_result_are_counted_one_by_one(name):
    one = counter(name)
    assert one.block(block(Kind.TOOL_RESULT, "two", " words"), ANTHROPIC) == one.count("two") + one.count(" words")


def test_images_cost_what_the_provider_takes():
    photo = Media("image/png", 750, 1000)
    one = counter("o200k_base")
    assert one.block(block(Kind.MEDIA, media=(photo,)), ANTHROPIC) == 1000
    assert one.block(block(Kind.MEDIA, media=(photo,)), OPENAI) == 85 + 170 * 4
    assert one.block(block(Kind.TOOL_RESULT, "seen", media=(photo, photo)), ANTHROPIC) == 2000 + one.count("seen")
    assert one.block(block(Kind.MEDIA, media=(Media("image/png"),)), OPENAI) == 1600


@pytest.mark.parametrize("name", BPE)
def test_special_tokens_in_a_transcript_are_words_like_others(name):
    assert counter(name).count("<|endoftext|>") > 1


@pytest.mark.parametrize("name", BPE)
def test_unpaired_surrogates_count_as_replacement_characters(name):
    one = counter(name)
    assert one.count("cut \ud83d here") == one.count("cut \ufffd here")
    assert one.count("\ud83d\ude00") == one.count("\U0001f600")


@pytest.mark.parametrize("name", BPE)
@pytest.mark.parametrize("text", [" " * 1_200_000, "x" + "\t" * 1_100_000 + "y"], ids=["spaces", "tabs"])
def test_a_million_blanks_in_a_row_do_not_bring_the_process_down(name, text):
    assert 1 < counter(name).count(text) < len(text)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.text(" \n\t", max_size=3), st.integers(0, 2), st.text("ab", max_size=2))))
def test_splitting_loses_nothing_and_leaves_no_long_run(parts):
    longest = 50  # the splitting is the same at any length; runs of a million are counted above
    text = "".join(blank * (times * longest // max(1, len(blank))) + word for blank, times, word in parts[:3])
    cut = split(text, longest)
    assert "".join(cut) == text
    assert all(len(part) - len(part.lstrip()) <= longest for part in cut)


@pytest.mark.parametrize("name", BPE)
@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(st.characters(codec=None), max_size=20), max_size=6))
def test_lines_add_up(name, lines):
    """What a summary's cost rests on: lines that begin with "- " and end with a line break are counted apart."""
    one = counter(name)
    pieces = ["intro:\n", *("- " + " ".join(line.split()) + "\n" for line in lines), "End."]
    assert one.count("".join(pieces)) == int(np.sum([one.count(piece) for piece in pieces]))


@pytest.mark.parametrize("name", BPE)
@settings(max_examples=300, deadline=None)
@given(
    st.text(st.characters(codec=None), max_size=60), st.sampled_from(["", "<|endoftext|>", "<|endofprompt|>", "<|fim_middle|>", "\ud83d"])
)
def test_a_count_is_the_length_of_encode_ordinary(name, text, more):
    assert counter(name).count(text + more + text) == len(encoding(name).encode_ordinary(text + more + text))
