"""A call that changes something outside, by its name, and that nothing answers.

It may have been carried out although the dump has no result of it: before it is repeated, somebody should look. What a name tells is a
guess: `send_mail` sends, and `run_command` may do anything. An open call at the very end is still waited for while the dump is asked
whether it is well formed so far.

Evidence: none is needed: the call stands in the dump. What is lost when it is made again: NVIDIA-NeMo/Switchyard#502 (a client that repeats
finished calls).

Repair: that of the open call (`tool-call-unanswered` and its like): the real result, or one that says that none was recorded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.pairs import one_of
from app.model.provider import Defect, Reading
from app.rules._rule import Rule, Said
from app.rules._said import cause_of, tool
from app.rules._scene import Site

OPEN = (Defect.CALL_UNANSWERED, Defect.CALL_PARTIALLY_ANSWERED, Defect.CALL_TRAILING, Defect.COUNT_MISMATCH)
CHANGES = frozenset({
    "add", "append", "apply", "approve", "assign", "book", "buy", "cancel", "charge", "checkout", "clear", "click", "close", "commit",
    "copy", "create", "delete", "deploy", "disable", "drop", "edit", "email", "enable", "erase", "fill", "generate", "grant", "insert",
    "install", "invite", "kill", "launch", "mail", "merge", "modify", "move", "notify", "order", "overwrite", "patch", "pay", "place",
    "post", "provision", "publish", "purchase", "purge", "push", "put", "refund", "register", "reject", "remove", "rename", "replace",
    "reply", "reset", "restart", "revoke", "save", "schedule", "sell", "send", "set", "start", "stop", "store", "submit", "terminate",
    "transfer", "trigger", "truncate", "uninstall", "update", "upload", "upsert", "withdraw", "write",
})  # fmt: skip
"""Words of a tool's name that say that it changes something."""
RUNS = frozenset({"bash", "cmd", "command", "exec", "execute", "powershell", "repl", "run", "script", "shell", "sql", "terminal"})
"""Words of a tool that runs what it is given."""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class EffectUnanswered(Rule):
    name = "effect-unanswered"
    summary = "a call that changes something, by its name, and has no result"
    severity = "note"
    everywhere = True
    by_mode = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        calls = np.flatnonzero(one_of(reading.defect, OPEN) & view.calls & (view.name >= 0))
        if not len(calls):
            return []
        names = view.transcript.table.names
        numbers = [number for number in np.unique(view.name[calls]).tolist() if effect(names[number])]
        return [self.hit(reading, calls[np.isin(view.name[calls], numbers)])]

    def say(self, site: Site) -> Said:
        what = effect(site.scene.name(site.position))
        message = f"Nothing answers {tool(site, site.position)}, which {what}: it may have been done."
        return Said(message, ids=site.ids, cause=f"effects: {cause_of(site)}")


def effect(name: str) -> str:
    """What a tool does by its name, in words; "" where it only looks."""
    words = {word.lower() for word in WORD.findall(name)}
    if words & CHANGES:
        return "changes something by its name"
    return "runs what it is given" if words & RUNS else ""


RULE = EffectUnanswered()
