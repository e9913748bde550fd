"""Redaction: what is found, what stands there then, and that it fails closed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.errors import RefusedError
from app.pipeline import opened
from app.pipeline.json_strings import decoded, spans
from app.pipeline.names import provider_named
from app.pipeline.redact import export_redacted, redacted, search
from app.pipeline.sensitive import PATTERNS, Finder
from tests.evidence import KEY, MAIL, SECRETS, dump_of, request, session

ANTHROPIC = provider_named("anthropic")

PARTS = [MAIL, "+49 30 1234567", "plain words", 'é😀\n"q"\\', "\x00\t", "\ud800 lone", KEY]
EXAMPLES = {
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "key that is told": "the api key is " + "zQ1x7Kp9mW3vR5tY8uB2nL6",
    "AWS access key id": "AKIA" + "QWERTYUIOP234567",
    "AWS secret key": "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKE",
    "GitHub token": "ghp_" + "a1B2c3D4e5F6" * 3,
    "GitLab token": "glpat-" + "a1B2c3D4e5F6g7H8i9J0",
    "Slack token": "xoxb-" + "123456789012-abcdefABCDEF",
    "Slack webhook": "https://hooks.slack.com/services/" + "T00000000/B00000000/XXXXXXXXXXXX",
    "Anthropic key": KEY,
    "OpenRouter key": "sk-or-v1-" + "0123456789abcdef" * 4,
    "OpenAI key": "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7",
    "Stripe key": "sk_live_" + "a1B2c3D4e5F6g7H8",
    "Google API key": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "Google OAuth token": "ya29." + "a0AfH6SMBx1234567890abcdef",
    "Azure key": "AccountKey=" + "Ab1Cd2Ef3Gh4" * 7 + "==",
    "Hugging Face token": "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
    "npm token": "npm_" + "a1B2c3D4e5F6" * 3,
    "PyPI token": "pypi-" + "AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtNDAwMC04",
    "token of a model provider": "gsk_" + "a1B2c3D4e5F6" * 4,
    "token of a service": "dapi" + "0123456789abcdef" * 2,
    "webhook": "https://discord.com/api/webhooks/123456789012345678/" + "aB3dE5fG7h" * 6,
    "Azure secret": "xyz8Q~" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z",
    "JSON Web Token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "Bearer token": "Authorization: Bearer abc123def456ghi789",
    "Basic credentials": "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "password in a URL": "postgres://admin:s3cr3t-pw@db.internal/x",
    "value of a telling name": 'db_password: correct-horse-7',
    "password of a command": "sshpass -p geheimnis ssh host",
    "credentials of a header": "Authorization: Token abcdefghijkl",
    "password": "login bob password sunflower",
    "password of a database": "IDENTIFIED BY 'sunflower'",
    "one-time code": "PIN: 4711",
    "secret in a URL": "https://x.example/?access_token=mnbvcxylkjhg",
    "passport number": "passport no. C01X00T47",
    "date of birth": "date of birth: 1984-05-07",
    "user name in a path": "/home/mkeller/x",
    "cookie": "Cookie: session=abcdefgh12",
    "signature in a URL": "https://a.example/x?sig=AbCdEfGh12",
    "password that is told": "the password is hunter-two",
    "assigned secret": "SECRET_KEY = 'correct horse battery'",
    "e-mail address": MAIL,
    "IBAN": "DE89 3704 0044 0532 0130 00",
    "card number": "4111 1111 1111 1111",
    "telephone number": "+49 30 1234567",
    "social security number": "078-05-1120",
    "IP address": "203.0.113.7",
    "MAC address": "00:1B:44:11:3A:B7",
    "encoded data": "Ab1Cd2Ef3Gh4" * 20,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted({pattern.name for pattern in PATTERNS}))
def test_every_pattern_finds_its_example_in_the_midst_of_a_text(name: str) -> None:
    found = Finder({}).hits(f"here it is: {EXAMPLES[name]} and so on")
    assert name in [hit.pattern.name for hit in found]


@pytest.mark.parametrize("text", [
    "1922-@ansi_dialect.segment",
    "max_tokens: 4096", "password: str", "token = get_token()", "api_key=os.environ['KEY']", "version 1.2.3", "2025-01-02 03:04:05.123",
    "call toolu_01ABCdefGHIjklMNOpqrSTUv", "a@b", "git@github.com:a/b.git", "127.0.0.1", "4111 1111 1111 1112", "sk-learn is a library",
    "total 1234567890123456789", "uuid 4f1c0000-0000-4000-8000-000000000001", 'password="${DB_PASSWORD}"',
])  # fmt: skip
def test_what_is_nothing_is_left_alone(text: str) -> None:
    assert Finder({}).hits(text) == []


def test_all_of_it_goes_and_every_other_byte_stays() -> None:
    dump = dump_of(request())
    found = search(dump)
    data, places = redacted(dump, found, (), ANTHROPIC, None, "complete")
    text = data.decode()
    assert not [secret for secret in SECRETS if secret in text]
    before, after = dump.source.all().decode(), text
    assert len(before) == len(after)  # marks are as long as what they stand for
    kept = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert 0 < len(kept) <= sum(one.count * 120 for one in found.listed().found)
    assert places >= len(found.listed().found)
    assert json.loads(after)["messages"][1]["content"][1]["input"]["limit"] == 1.5
    assert '"limit": 1.5' in after


def test_the_same_secret_gets_the_same_mark_everywhere() -> None:
    dump = dump_of(session(), "s.jsonl")
    found = search(dump)
    mail = next(t for t in found.things.by_text.values() if t.text == MAIL)
    assert mail.count == 3
    data, _ = redacted(dump, found, (), ANTHROPIC, None, "prefix")
    assert data.count(mail.mark.encode()) == 3
    assert len(mail.mark) == len(MAIL)
    assert "EMAIL" in mail.mark
    assert len({t.mark for t in found.things.by_text.values()}) == len(found.things.by_text)


def test_what_cannot_be_searched_goes_unless_it_is_allowed() -> None:
    dump = dump_of(session(), "s.jsonl")
    found = search(dump)
    line = next(one for one in found.listed().found if one.kind == "not searched")
    assert line.name == "line that cannot be read"
    gone, _ = redacted(dump, found, (), ANTHROPIC, None, "prefix")
    assert gone.splitlines()[-1].strip(b"x") == b""
    mail = next(t.number for t in found.things.by_text.values() if t.text == MAIL)
    left, _ = redacted(dump, found, {line.number, mail}, ANTHROPIC, None, "prefix")
    assert left.splitlines()[-1] == session().splitlines()[-1]
    with pytest.raises(RefusedError, match="would still stand in it"):  # allowed to stay, but it holds what must go
        redacted(dump, found, {line.number}, ANTHROPIC, None, "prefix")


def test_own_words_are_found_in_any_case_and_inside_of_others() -> None:
    dump = dump_of({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "Acme, ACME and acmecorp"}]})
    found = search(dump, ["acme"])
    assert sorted(one.shown for one in found.listed().found) == ["ACME", "Acme", "acme"]
    data, places = redacted(dump, found, (), ANTHROPIC, None, "complete")
    assert places == 3
    assert b"acme" not in data.lower()


def test_a_person_is_known_by_the_folder() -> None:
    found = search(dump_of(session(), "s.jsonl"))
    user = next(one for one in found.listed().found if one.name == "user name in a path")
    assert user.count == 10 + 2 * 3  # the folder of each record, three times each result
    assert user.places[0] == "/0/cwd"


def test_what_it_lists_gives_little_away() -> None:
    listed = search(dump_of(request())).listed()
    key = next(one for one in listed.found if one.name == "Anthropic key" or "sk-a" in one.shown)
    assert KEY not in key.shown
    assert len(key.shown) < 40


def test_it_is_written_with_proof(tmp_path: Path) -> None:
    path, out = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text(json.dumps(request(), indent=1))
    dump = opened(str(path))
    keep = {t.number for t in search(dump).things.by_text.values() if t.text == "+49 30 1234567"}
    done = export_redacted(dump, out, (), keep, ANTHROPIC, None, "complete")
    assert done.left == 1
    assert "Left in by hand: telephone number" in done.summary
    assert "+49 30 1234567" in out.read_text()
    assert MAIL not in out.read_text()
    with pytest.raises(RefusedError, match="never written over"):
        export_redacted(dump, path, (), (), ANTHROPIC, None, "complete")


def test_a_text_is_searched_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(f"# aider chat started at 2025-01-01 10:00:00\n\n#### write to {MAIL}\n\nHi.\n")
    dump = opened(str(path))
    data, places = redacted(dump, search(dump), (), ANTHROPIC, None, "prefix")
    assert places == 1
    assert MAIL.encode() not in data
    assert len(data) == path.stat().st_size


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6), st.booleans())
def test_lengths_and_findings_stay(parts: list[str], ascii: bool) -> None:
    body = {"model": "claude-sonnet-4-5", "max_tokens": 5, "messages": [{"role": "user", "content": " ".join(parts)}]}
    data = json.dumps(body, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    dump = dump_of(data)
    made, places = redacted(dump, search(dump), (), ANTHROPIC, None, "complete")  # raises where it is judged otherwise
    after = dump_of(made)
    assert np.array_equal(after.table.size, dump.table.size)
    assert places == sum(part in (MAIL, "+49 30 1234567", KEY) for part in parts)
    assert MAIL.encode() not in made
    assert KEY.encode() not in made


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(codec=None), max_size=30), st.booleans())
def test_every_character_has_its_place(text: str, ascii: bool) -> None:
    raw = json.dumps(text, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    at = spans(raw)
    whole = decoded(raw)
    assert len(at) == len(whole) + 1
    assert at[0] == 1
    assert at[-1] == len(raw) - 1
    for number, character in enumerate(whole):
        assert decoded(b'"' + raw[at[number] : at[number + 1]] + b'"') == character
