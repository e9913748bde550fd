"""The hot loop of a Claude Code session: records and blocks of their usual shapes, told with local variables alone.

Lists are appended to by name (`sizes.append(…)`), which Python does without a call; an item of a dict is looked up singly, which it
does as fast as `itemgetter`. Whatever differs in any way is handed to `_claude_rows.py`, which says in general what a record is; a test
holds both against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, Final
from zlib import crc32

import orjson
from orjson import JSONDecodeError

from app.formats._claude_marks import SYNTHETIC, mark
from app.formats._claude_rows import ASSISTANT, INJECTED, NODE, PROMPT, RESULTS, SPECIAL, TAKEN, USAGE_KEYS, Rows
from app.formats._flags import ARGS, text_flags
from app.model.foreign import FOREIGN_KEYS
from app.model.kinds import Args, Flag, Kind, Role

_MESSAGE = itemgetter("role", "content", "id", "model", "usage", "type", "stop_reason", "stop_sequence")
_USAGE = itemgetter(*USAGE_KEYS)
_NOTHING: Final = object()  # equals nothing that a file holds
_PLAIN: Final = frozenset(map(chr, range(ord("!"), ord("~") + 1)))  # a text that ends so has no flags


def loop(rows: Rows) -> Callable[[Iterable[bytes]], bytes]:
    """The hot loop: takes lines, gives the last one back."""
    answer, asked, spoken, loads = _answer(rows), _asked(rows), _spoken(rows), orjson.loads
    add_usage = rows.usage.extend
    odd_record, odd_line, plain = rows.odd_record, rows.odd_line, FOREIGN_KEYS.isdisjoint
    whole = rows.code_for(Kind.TEXT, "text")
    now: Any = _NOTHING
    at: Any = _NOTHING

    def remodel(model: Any) -> None:
        nonlocal now
        rows.model_runs.add(rows.answers + len(rows.identity), rows.columns.model_of(model))
        now = model

    def move(value: dict[str, Any], session: Any, side: Any) -> None:
        nonlocal at
        rows.switch(session, side, value.get("agentId"))
        at = session if side is False else _NOTHING

    def records(lines: Iterable[bytes]) -> bytes:
        nonlocal now, at
        lengths, kinds, held, stamps = rows.length, rows.what, rows.count, rows.stamp
        uuids, parents, identities = rows.uuid, rows.parent, rows.identity
        line = b""
        last: Any = None
        before = hash(None)
        for line in lines:
            lengths.append(len(line))
            try:
                value = loads(line)
                word, side, uuid = value["type"], value["isSidechain"], value["uuid"]
                parent, session, stamp = value["parentUuid"], value["sessionId"], value["timestamp"]
                parent = before if parent == last else hash(parent)  # nearly all hang on the record before them
                before, last = hash(uuid), uuid
                if word == "assistant":
                    message = value["message"]
                    role, content, identity, model, counts, _, _, _ = _MESSAGE(message)
                    if (
                        role != word or type(content) is not list or not content or model == SYNTHETIC or "isApiErrorMessage" in value
                        or identity[:1] == "["
                        or (len(message) > 8 and not plain(message))
                    ):  # fmt: skip
                        raise KeyError
                    figures, identity = _USAGE(counts), hash(identity)
                    if model != now:
                        remodel(model)
                    add_usage(figures)
                    identities.append(identity)
                    held.append(answer(content))
                    kind = ASSISTANT
                elif word == "user":
                    message = value["message"]
                    content = message["content"]
                    if (
                        message["role"] != word or not content or "isCompactSummary" in value
                        or (len(message) > 2 and not plain(message)) or value.get("isMeta")
                    ):  # fmt: skip
                        raise KeyError
                    if type(content) is list:
                        kind = asked(content)
                        held.append(len(content))
                    elif type(content) is str:
                        kind = PROMPT if spoken(content, whole) else INJECTED
                        held.append(1)
                    else:
                        raise KeyError
                elif (
                    before and type(word) is str and TAKEN not in value
                    and ("subtype" not in value or value["subtype"] not in SPECIAL)
                ):  # fmt: skip
                    kind = NODE
                    held.append(0)
                else:
                    raise KeyError
            except JSONDecodeError:
                odd_line(line)
                at = now = _NOTHING
                continue
            except (KeyError, TypeError):
                odd_record(value, False)
                at = now = _NOTHING
                continue
            if session != at or side is not False:
                move(value, session, side)
            uuids.append(before)
            parents.append(parent)
            stamps.append(stamp)
            kinds.append(kind)
            value = message = content = counts = None  # it dies before the next one comes, which takes its place in the cache
        return line

    return records


def _answer(rows: Rows) -> Callable[[list[Any]], int]:
    """Adds the rows of an assistant's content."""
    codes, sizes, numbers, called, told = rows.code, rows.size, rows.key, rows.name, rows.told
    keys, names, odd_content, dumps = rows.columns.keys, rows.columns.names, rows.content, orjson.dumps
    number_of, flag = keys.setdefault, _flagger(rows)
    call = rows.code_for(Kind.TOOL_CALL, "tool_use", Flag.CONTENT_LIST | ARGS[Args.OBJECT])
    words = rows.code_for(Kind.TEXT, "text", Flag.CONTENT_LIST)
    thought = rows.code_for(Kind.REASONING, "thinking", Flag.CONTENT_LIST | Flag.SIGNED)
    role = Role.ASSISTANT

    def answer(content: list[Any]) -> int:
        for block in content:
            try:
                word, extent = block["type"], len(block)
                if word == "tool_use":
                    identity, name, given = block["id"], block["name"], block["input"]
                    known = extent == 4 or (extent == 5 and "caller" in block)
                    if known and type(identity) is str and type(name) is str and type(given) is dict:
                        text = dumps(given)  # TypeError: an integer over 64 bits, nested too deep
                        sizes.append((len(text) if text.isascii() else len(text.decode())) + len(name))
                        codes.append(call)
                        numbers.append(number_of(identity, len(keys)))
                        called.append(names[name])
                        told.append(crc32(text))
                        continue
                elif word == "text":
                    text = block["text"]
                    if extent == 2 and type(text) is str:
                        if text[-1:] not in _PLAIN:
                            flag(text)
                        sizes.append(len(text))
                        codes.append(words)
                        continue
                elif word == "thinking" and extent == 3:
                    text, signature = block["thinking"], block["signature"]
                    if type(text) is str and type(signature) is str and signature:
                        if text[-1:] not in _PLAIN:
                            flag(text)
                        sizes.append(len(text))
                        codes.append(thought)
                        continue
            except (KeyError, TypeError):
                pass
            odd_content(role, [block], 0, False, False)
        return len(content)

    return answer


def _asked(rows: Rows) -> Callable[[list[Any]], int]:
    """Adds the rows of a user's list of blocks; what the record is comes back."""
    codes, sizes, numbers = rows.code, rows.size, rows.key
    keys, odd_content, spoken, flag = rows.columns.keys, rows.content, _spoken(rows), _flagger(rows)
    result, failed = rows.code_for(Kind.TOOL_RESULT, "tool_result"), rows.code_for(Kind.TOOL_RESULT, "tool_result", Flag.ERROR)
    listed = rows.code_for(Kind.TOOL_RESULT, "tool_result", Flag.CONTENT_LIST)
    words = rows.code_for(Kind.TEXT, "text", Flag.CONTENT_LIST)
    role = Role.USER

    def asked(content: list[Any]) -> int:
        results = typed = False
        for block in content:
            try:
                word, extent = block["type"], len(block)
                if word == "tool_result":
                    identity, text = block["tool_use_id"], block["content"]
                    if type(identity) is str and (extent == 3 or (extent == 4 and type(block["is_error"]) is bool and type(text) is str)):
                        if type(text) is str:
                            if text[-1:] not in _PLAIN:
                                flag(text)
                            codes.append(failed if extent == 4 and block["is_error"] else result)
                        else:
                            (part,) = text
                            text = part["text"]
                            if len(part) != 2 or part["type"] != "text" or not text.strip():
                                raise KeyError
                            codes.append(listed)
                        sizes.append(len(text))
                        numbers.append(keys[identity])
                        results = True
                        continue
                elif word == "text" and extent == 2 and type(block["text"]) is str:
                    typed |= spoken(block["text"], words)
                    continue
            except (KeyError, TypeError, ValueError, AttributeError):
                pass
            _, is_result, is_typed = odd_content(role, [block], 0, False, False)
            results, typed = results or is_result, typed or is_typed
        return RESULTS if results else PROMPT if typed else INJECTED

    return asked


def _spoken(rows: Rows) -> Callable[[str, int], bool]:
    codes, sizes, flagged, flags = rows.code, rows.size, rows.flagged, rows.flags
    injected = Flag.INJECTED

    def spoken(text: str, as_code: int) -> bool:
        """A user's text; whether a person typed it."""
        found = mark(text) | text_flags(text)
        if found:
            flagged.append(len(codes))
            flags.append(found)
        sizes.append(len(text))
        codes.append(as_code)
        return not found & injected

    return spoken


def _flagger(rows: Rows) -> Callable[[str], None]:
    codes, flagged, flags = rows.code, rows.flagged, rows.flags

    def flag(text: str) -> None:
        """Flags of a text whose row comes next."""
        found = text_flags(text)
        if found:
            flagged.append(len(codes))
            flags.append(found)

    return flag
