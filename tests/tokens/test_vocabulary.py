"""The vocabularies that ship: whole, the published ones, and used without any network."""

import gzip
import hashlib
import subprocess
import sys
from importlib import resources

import pytest

from app.model.errors import InspectorError
from app.tokens import vocabulary
from app.tokens.vocabulary import VOCABULARIES, encoding


@pytest.mark.parametrize("name", VOCABULARIES)
def test_pattern_and_special_tokens_are_those_of_tiktoken(name, monkeypatch):
    from tiktoken_ext import openai_public

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda url, expected_hash: expected_hash)
    theirs = getattr(openai_public, name)()
    ours = VOCABULARIES[name]
    assert ours.pattern == theirs["pat_str"]
    assert ours.special == theirs["special_tokens"]
    assert ours.sha256 == theirs["mergeable_ranks"]


@pytest.mark.parametrize("name", VOCABULARIES)
def test_shipped_file_is_the_published_one(name):
    data = gzip.decompress(resources.files("app.tokens").joinpath(f"{name}.tiktoken.gz").read_bytes())
    assert hashlib.sha256(data).hexdigest() == VOCABULARIES[name].sha256


def test_licence_lies_beside_them():
    assert "Copyright (c) 2022 OpenAI, Shantanu Jain" in resources.files("app.tokens").joinpath("LICENSE.tiktoken").read_text()


def test_another_file_is_refused_in_one_line(monkeypatch):
    monkeypatch.setitem(VOCABULARIES, "cl100k_base", vocabulary.Vocabulary("0" * 64, "", {}))
    with pytest.raises(InspectorError, match="install the program again") as caught:
        encoding.__wrapped__("cl100k_base")
    assert "\n" not in str(caught.value)


def test_encodes_as_tiktoken_documents():
    encode = encoding("cl100k_base").encode_ordinary
    assert encode("hello world") == [15339, 1917]  # README of tiktoken
    assert encoding("o200k_base").encode_ordinary("hello world") == [24912, 2375]


ALONE = """
import socket, sys
class Refused(socket.socket):
    def __init__(self, *a, **k): raise SystemExit("a socket was asked for")
socket.socket = Refused
socket.getaddrinfo = socket.create_connection = lambda *a, **k: sys.exit("the network was asked for")
import os
os.environ["TIKTOKEN_CACHE_DIR"] = os.environ["DATA_GYM_CACHE_DIR"] = "/nonexistent"
from app.tokens import COUNTERS, counter
print(*(counter(name).count("the network is never asked") for name in COUNTERS))
assert "requests" not in sys.modules, "tiktoken loaded its downloader"
"""


def test_counts_in_a_process_where_every_socket_is_refused():
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["5", "5", "7"]
