"""The helper process: everything that would hold the window runs there, one job at a time, the newest load first.

The process is this same program started with `--helper`. Jobs go to its standard input and answers come from its standard output as
length-prefixed pickles. Every job carries a *generation*; answers of an older one are dropped by whoever asked, and a job whose
generation is no longer wanted stops at its next look at the clock. If the process dies, a new one is started on demand.

No Qt here: `receive` is called on a thread of ours, and hands over to its own.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from app.jobs import Loaded
from app.model.dump import Dump
from app.model.table import ROW_COLUMNS
from app.shared_memory import Laid

HEADER = struct.Struct("<Q")
PATIENCE = 5.0  # s that the end of the answers is waited for


class Died:
    """Handed to `receive` when the helper process ended by itself; `why` is one clause for a person."""

    def __init__(self, why: str) -> None:
        self.why = why


class Worker:
    """Starts the helper process on the first job and again after it died. All methods are called from one thread."""

    def __init__(self, receive: Callable[[Any], None]) -> None:
        self._receive = receive
        self._process: subprocess.Popen[bytes] | None = None
        self._shared = Shared()
        self._lock = threading.Lock()
        self._listener: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts the process ahead of the first job, so that its imports are done by then."""
        with self._lock:
            if self._process is None:
                self._start()

    def _start(self) -> None:
        command = [sys.executable, "--helper"] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app", "--helper"]
        environment = dict(os.environ)
        root = str(Path(__file__).resolve().parent.parent)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._shared = Shared()
        self._listener = threading.Thread(target=self._listen, args=(self._process, self._shared), daemon=True, name="helper answers")
        self._listener.start()

    def send(self, job: Any) -> None:
        """Queues a job. A process that has died is started again; it knows nothing of the jobs before."""
        with self._lock:
            if self._process is None:
                self._start()
            assert self._process is not None
            assert self._process.stdin is not None
            # a dead reader: the listening thread says so
            with contextlib.suppress(OSError):
                write(self._process.stdin, job, NOTHING)

    def stop(self) -> None:
        """Ends the process; when this returns, nothing is handed over any more."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            _close(process.stdin)
            if self._listener is not None and self._listener is not threading.current_thread():
                self._listener.join(PATIENCE)  # whoever receives may be gone once this returns

    def _listen(self, process: subprocess.Popen[bytes], shared: Shared) -> None:
        assert process.stdout is not None
        while True:
            try:
                answer = read(process.stdout, shared)
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                break
            if isinstance(answer, Loaded):  # before the next answer is read: it may name this one's columns
                try:
                    dump = answer.dump.opened() if isinstance(answer.dump, Laid) else answer.dump
                except OSError:
                    continue  # a newer load has taken its place
                shared.hold(dump)
                answer = replace(answer, dump=dump)
            if self._process is not process:
                continue  # stopped: what is still in the pipe is nobody's
            self._receive(answer)
        status = process.wait()
        _close(process.stdout)
        with self._lock:
            ours = self._process is process
            if ours:
                self._process = None
                _close(process.stdin)
        if ours:
            self._receive(Died(f"signal {-status}" if status < 0 else f"status {status}"))


class Shared:
    """A dump that both sides hold once it was carried over: its table, columns and orders travel by name."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._values: dict[str, Any] = {}

    def hold(self, dump: Dump) -> None:
        table = dump.table
        values: dict[str, Any] = {"table": table, "records": table.records, "usages": table.usages, "extra": table.extra}
        values.update({column: getattr(table, column) for column in ROW_COLUMNS})
        values.update({f"order {i}": transcript.order for i, transcript in enumerate(dump.transcripts)})
        self._values = values  # keeps them alive, so that an id is never another object's
        self._names = {id(value): name for name, value in values.items()}

    def name(self, value: Any) -> str | None:
        return self._names.get(id(value))

    def value(self, name: str) -> Any:
        return self._values[name]


NOTHING = Shared()


class _Pickler(pickle.Pickler):
    def __init__(self, out: io.BytesIO, shared: Shared) -> None:
        super().__init__(out, protocol=5)
        self._shared = shared

    def persistent_id(self, obj: Any) -> str | None:
        return self._shared.name(obj)


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: io.BytesIO, shared: Shared) -> None:
        super().__init__(data)
        self._shared = shared

    def persistent_load(self, pid: str) -> Any:
        return self._shared.value(pid)


def write(stream: IO[bytes], value: Any, shared: Shared) -> None:
    """One value as a length and a pickle."""
    out = io.BytesIO()
    out.write(HEADER.pack(0))
    _Pickler(out, shared).dump(value)
    size = out.tell() - HEADER.size
    out.seek(0)
    out.write(HEADER.pack(size))
    stream.write(out.getbuffer())
    stream.flush()


def read(stream: IO[bytes], shared: Shared) -> Any:
    """One value; EOFError where the other side has gone."""
    (size,) = HEADER.unpack(_exactly(stream, HEADER.size))
    return _Unpickler(io.BytesIO(_exactly(stream, size)), shared).load()


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        with contextlib.suppress(OSError):  # what was still to be written goes nowhere
            stream.close()


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if data is None or len(data) < size:
        raise EOFError
    return data
