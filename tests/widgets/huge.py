"""A state as large as a list must carry, in columns from the start."""

from __future__ import annotations

import numpy as np
import orjson

from app.model.block import Block
from app.model.kinds import Kind, Role
from app.model.state import State
from app.model.table import RECORD_TYPES, Records, Table
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import Groups, Links
from tests.widgets.making import finish

# what a step may be: text | call result | text call result | three calls, three results
_SHAPES = (
    (Kind.TEXT,), (Kind.TOOL_CALL, Kind.TOOL_RESULT), (Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT),
    (Kind.TOOL_CALL,) * 3 + (Kind.TOOL_RESULT,) * 3,
)  # fmt: skip
_CALLS = (0, 1, 1, 3)


def huge_state(blocks: int = 1_000_000, seed: int = 1, exchanges: int = 0) -> State:
    """About `blocks` rows in exchanges of twelve on average (83,512 at a million); `exchanges`: so many in place of that."""
    rng = np.random.default_rng(seed)
    count = exchanges or max(1, round(blocks * 83_512 / 1_000_000))
    per = rng.geometric(min(1.0, count / max(blocks / 2.55, 1)), count)  # steps of an exchange
    step_exchange = np.repeat(np.arange(count), per)
    shape = rng.choice(4, len(step_exchange), p=(0.3, 0.35, 0.25, 0.1))
    lengths = np.array([len(s) for s in _SHAPES])[shape]
    is_prompt = np.concatenate([[True], step_exchange[1:] != step_exchange[:-1]])
    unit_length = np.empty(len(shape) + count, np.int64)  # a prompt, then its steps, exchange by exchange
    prompt_at = np.flatnonzero(is_prompt) + np.arange(count)
    step_at = np.arange(len(shape)) + step_exchange + 1
    unit_length[prompt_at], unit_length[step_at] = 1, lengths
    start = np.concatenate([[0], np.cumsum(unit_length)])
    total = int(start[-1])
    unit = np.repeat(np.arange(len(unit_length)), unit_length)
    offset = np.arange(total) - start[unit]
    unit_shape = np.full(len(unit_length), -1)
    unit_shape[step_at] = shape
    unit_step = np.full(len(unit_length), -1)
    unit_step[step_at] = np.arange(len(shape))
    template = np.zeros((4, 6), np.uint8)
    for number, kinds in enumerate(_SHAPES):
        template[number, : len(kinds)] = kinds
    of_shape = unit_shape[unit]
    kind = np.where(of_shape < 0, Kind.TEXT, template[of_shape, offset]).astype(np.uint8)
    jump = np.array([*_CALLS, 0])[of_shape]
    here = np.arange(total)
    partner = np.where(kind == Kind.TOOL_CALL, here + jump, np.where(kind == Kind.TOOL_RESULT, here - jump, -1)).astype(np.int32)
    exchange = np.repeat(np.arange(count), np.add.reduceat(unit_length, prompt_at)).astype(np.int32)
    groups = Groups(exchange, unit_step[unit].astype(np.int32), start[prompt_at].astype(np.int32), False, start[step_at].astype(np.int32),
                    step_exchange.astype(np.int32), np.ones(len(shape), bool), np.zeros(count, np.int32))  # fmt: skip
    result = kind == Kind.TOOL_RESULT
    message = np.cumsum(np.concatenate([[True], (unit[1:] != unit[:-1]) | (result[1:] != result[:-1])])) - 1
    size = np.minimum(rng.pareto(1.1, total) * 40 + 20, 90_000).astype(np.int32)
    table = Table(
        "anthropic-messages",
        message.astype(np.int32), np.zeros(total, np.int32), message.astype(np.int32), kind, np.zeros(total, np.uint8),
        np.where((of_shape < 0) | result, Role.USER, Role.ASSISTANT).astype(np.uint8),
        np.where(kind == Kind.TOOL_CALL, here % 5, -1).astype(np.int32),
        size, np.zeros(total, np.uint32), np.where(partner >= 0, np.minimum(here, partner), -1).astype(np.int32),
        _many_records(int(message[-1]) + 1), names=["read_file", "bash", "search_invoices", "get_customer", "edit_file"], types=["text"],
        pointer_prefix="/messages/",
    )  # fmt: skip
    table.extra["blocks"] = lambda row: _huge_block(table, row)
    transcript = Transcript(table, here.astype(np.int32), model="claude-sonnet-4-5")
    return finish(transcript, groups, Links(partner, np.zeros(total, bool)), Tokens("o200k_base", size // 4 + 1, np.ones(total, bool)))


def _many_records(count: int) -> Records:
    records = Records(**{name: np.zeros(count, kind) for name, kind in RECORD_TYPES.items()})
    records.place = np.arange(count, dtype=np.int32)
    records.model = np.full(count, -1, np.int16)
    records.time = np.full(count, np.nan)
    return records


def _huge_block(table: Table, row: int) -> Block:
    kind, role = Kind(int(table.kind[row])), Role(int(table.role[row]))
    size = int(table.size[row])
    name = table.names[int(table.name[row])] if table.name[row] >= 0 else None
    if kind == Kind.TOOL_CALL:
        text = orjson.dumps({"path": f"src/module_{row % 977}.py", "limit": size}).decode()
    else:
        line = f"row {row}: which of the {size:,} invoices of March are overdue, and who has not answered yet?\n"
        text = (line * (size // len(line) + 1))[:size]
    return Block(row, kind, kind.word, role, (text,), name, f"toolu_{int(table.key[row])}" if table.key[row] >= 0 else None,
                 pointer=f"/messages/{int(table.message[row])}/content/0", record=int(table.record[row]))  # fmt: skip
