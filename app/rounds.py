"""What the helper process looks at by and by, while nothing else is asked: the transcripts of a dump, the sessions on this machine.

One glance takes some hundredths of a second; a file that is being looked into is put back when something is asked meanwhile.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from app import jobs
from app.model.dump import Dump
from app.model.sighting import Sighting
from app.model.survey import Surveyed
from app.model.tokens import Tokens

GLANCE = 0.03  # s
LISTED = 64  # files that are found between two looks at the clock
TRIES = 3  # at a file whose reading is put off, before it is read to its end


class _PutOffError(Exception):
    """Something was asked while a file was being read."""


class Rounds:
    """`say` takes answers; `pressing` tells whether something was asked meanwhile."""

    def __init__(self, say: Callable[[Any], None], pressing: Callable[[], bool] = lambda: False) -> None:
        self._say, self._pressing = say, pressing
        self._survey: jobs.Survey | None = None
        self._unseen: list[int] = []  # transcripts that wait to be looked at, next one last
        self._estimate: tuple[tuple[str, str], Tokens] | None = None  # of the dump's table, by counter and provider
        self._seek: jobs.Seek | None = None
        self._places: Iterator[Sighting] | None = None
        self._files: list[Sighting] = []  # that wait to be looked into, next one last
        self._tries = 0

    @property
    def going(self) -> bool:
        return bool(self._unseen) or self._places is not None or bool(self._files)

    def stop(self) -> None:
        self._unseen, self._places, self._files = [], None, []

    def forget(self) -> None:
        """Another dump is open."""
        self.stop()
        self._survey, self._estimate = None, None

    def survey(self, job: jobs.Survey, dump: Dump) -> None:
        many = len(dump.transcripts)
        self._survey, self._unseen = job, [index for index in reversed(job.order) if 0 <= index < many] if job.on else []

    def seek(self, job: jobs.Seek) -> None:
        from app.pipeline.whereabouts import sightings

        self._seek, self._files = job, []
        self._places = sightings(Path.home(), os.environ) if job.on else None

    def glance(self, dump: Dump | None, generation: int) -> None:
        """Looks at some of what waits, and says what it is."""
        if self._unseen and dump is not None:
            self._look_at_transcripts(dump, generation)
        elif self._places is not None:
            self._find_files(self._places)
        elif self._files:
            self._look_into_files()

    def _look_at_transcripts(self, dump: Dump, generation: int) -> None:
        from app.pipeline import count
        from app.pipeline.names import provider_named
        from app.pipeline.survey import survey

        wanted = self._survey
        assert wanted is not None
        provider = provider_named(wanted.provider)
        if self._estimate is None or self._estimate[0] != (wanted.counter, wanted.provider):
            self._estimate = (wanted.counter, wanted.provider), count.estimate(dump.table, provider, wanted.counter)
        found: list[Surveyed] = []
        end = time.monotonic() + GLANCE
        while self._unseen and (not found or time.monotonic() < end):
            found.append(survey(dump, self._unseen.pop(), self._estimate[1], provider, wanted.mode))
        self._say(jobs.Noticed(generation, wanted.provider, wanted.mode, tuple(found), len(self._unseen)))

    def _find_files(self, places: Iterator[Sighting]) -> None:
        assert self._seek is not None
        found: list[Sighting] = []
        end = time.monotonic() + GLANCE
        while time.monotonic() < end:
            some = list(islice(places, LISTED))
            found += some
            if len(some) < LISTED:
                self._places = None
                break
        self._files += found
        if self._places is None:
            self._files.sort(key=lambda one: one.written)
        self._say(jobs.Sighted(self._seek.generation, tuple(found), len(self._files) if self._places is None else -1))

    def _look_into_files(self) -> None:
        from app.pipeline.whereabouts import look_into

        assert self._seek is not None
        found: list[Sighting] = []
        end = time.monotonic() + GLANCE
        while self._files and (not found or time.monotonic() < end):
            try:
                found.append(look_into(self._files[-1], self._put_off if self._tries < TRIES else None))
            except _PutOffError:
                self._tries += 1
                break
            self._files.pop()
            self._tries = 0
        if found:
            self._say(jobs.Sighted(self._seek.generation, tuple(found), len(self._files)))

    def _put_off(self, _: float) -> None:
        if self._pressing():
            raise _PutOffError
