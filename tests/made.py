"""Dumps of our own making that are too large to lie in the tree."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.bench import make_dumps


def one_prompt(path: Path, requests: int = 150, seed: int = 3) -> Path:
    """One prompt and so many requests of a shell agent, in OpenAI Chat's wire: the shape of most recorded runs."""
    r = random.Random(seed)
    files = ["src/ledger.py", "src/post.py", "tests/test_post.py", "README.md", "src/retry.py", "pyproject.toml"]
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You solve one task in a shell. Answer with one call of the tool at a time."},
        {"role": "user", "content": "Invoices are posted twice after a timeout. Find out why, mend it and prove it with a test."},
    ]
    for n in range(requests - 1):
        name = r.choice(files)
        command = r.choice([f"cat {name}", f"grep -n post {name}", "python -m pytest -q", f"sed -n '{n},{n + 80}p' {name}", "git diff"])
        lines = [f"{name}:{k}: {r.choice(['def post', 'ledger.add', 'retry(', 'assert', 'import', 'return'])} {r.random():.12f}"
                 for k in range(int(2 ** r.uniform(1, 8)))]  # fmt: skip
        function = {"name": "bash", "arguments": json.dumps({"command": command})}
        call = {"id": f"call_{seed}_{n:04d}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": r.choice([None, f"Step {n}: look at {name}."]), "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "\n".join(lines)})
    messages.append({"role": "assistant", "content": "The retry posts again without asking the ledger. I changed that; the test passes."})
    tools = [{"type": "function", "function": {"name": "bash", "description": "Runs a command.", "parameters": {"type": "object"}}}]
    path.write_text(json.dumps({"model": "gpt-5", "messages": messages, "tools": tools}, indent=1), encoding="utf-8")
    return path


def large_session(path: Path, megabytes: int = 20) -> Path:
    """A Claude Code session of many exchanges."""
    make_dumps.cc(path, megabytes, 3000, seed=11)
    return path
