"""What is looked for is found through every escape, and marked where it stands."""

from __future__ import annotations

import json

import pytest

from app.pipeline.names import provider_named
from app.pipeline.redact import redacted, search
from app.pipeline.sensitive import Finder
from app.pipeline.unescaped import fold, plainly, template, unescaped
from tests.evidence import dump_of

ANTHROPIC = provider_named("anthropic")


def test_escapes_are_undone_with_the_way_back() -> None:
    text = "x \\\\u0040 %2540 %C3%BC a\u200bb \x1b[31mred"
    found = unescaped(text)
    assert found is not None
    assert found.text == plainly(text) == "x @ @ ü ab red"
    assert text[slice(*found.span(2, 3))] == "\\\\u0040"
    assert text[slice(*found.span(6, 7))] == "%C3%BC"
    assert fold("SÜSSHOLZ") == fold("süßholz")
    assert "".join(c or "_" for c in template("a\\u0040b")) == "_\\u0058_"


@pytest.mark.parametrize(("text", "there"), [
    ("mail anna%40acme.example now", "anna%40acme.example"), ("müller@münchen.de", "müller@münchen.de"),
    ("ghp_a1B2c3D4e5F6a1B2\x1b[0mc3D4e5F6a1B2c3D4e5F6", "ghp_"), ("gh\u200bp_" + "a1B2c3D4e5F6" * 3, "gh\u200bp_"),
    ("Authorization: Basic YTpiYw==", "YTpiYw"), ("curl -u bob:geheim https://x", "geheim"),
    ("tool --password geheim", "geheim"),
    ("sshpass -p geheim ssh x", "geheim"), ("mysql -u root -pgeheim db", "geheim"), ("Set-Cookie: sid=abcdefgh; Path=/", "abcdefgh"),
    ("SECRET_KEY = 'correct horse'", "correct horse"), ("api_key=abcdefgh", "abcdefgh"), ("the password is hunter2!", "hunter2!"),
    ("host 2a02:8109:9340::1f2 up", "2a02:8109:9340::1f2"), ("http://x/?a=1&signature=abcdefgh12", "abcdefgh12"),
    ("Bearer abc123def456ghi\njkl789mno", "jkl789mno"),
])  # fmt: skip
def test_credentials_are_found(text: str, there: str) -> None:
    assert any(there in text[hit.start : hit.end] or text[hit.start : hit.end].startswith(there) for hit in Finder({}).hits(text))


@pytest.mark.parametrize("text", [
    "password: '***'",
    'token="<token>"', "api_key = os.environ['API_KEY']", "SECRET=${VAR}", "docker run -u 1000:1000 x", "basic knowledge",
    "the password is required", "f(token=token)", "--password $PASS", "std::vector a::b 12:30:45", "cookie: str",
    "STORAGE_KEY = 'vue-todo-list'",
    '"crew_key": "4d5b21867b638a1846a38dc4"', 'topologyKey: "kubernetes.io/hostname"',
])  # fmt: skip
def test_placeholders_are_none(text: str) -> None:
    assert Finder({}).hits(text) == []


def test_a_word_is_taken_out_at_every_depth() -> None:
    inner = json.dumps({"note": json.dumps({"who": "Projekt Süßholz, a@b.example"})})
    texts = [inner, "PROJEKT SÜSSHOLZ", "s%C3%BC%C3%9Fholz", inner.replace("@", "\\\\\\u0040")]
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "\n".join(texts)}]}
    dump = dump_of(json.dumps(body).encode())
    data, _ = redacted(dump, search(dump, ["süßholz"]), (), ANTHROPIC, None, "complete")
    left = plainly(data.decode())
    assert fold("süßholz") not in fold(left)
    assert "a@b.example" not in left
    made = json.loads(data)["messages"][0]["content"].split("\n")
    assert [len(one) for one in made] == [len(one) for one in texts]
    assert set(json.loads(json.loads(made[0])["note"])) == {"who"}  # the strings within are still JSON
