"""Looking up formats, providers and strategies by name, with one clear line where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from app.model.errors import InspectorError
from app.model.provider import Provider
from app.model.table import Table

if TYPE_CHECKING:
    from app.formats._format import Format

T = TypeVar("T")

# The rows of the plan table, in their fixed order.
FAMILIES = (
    "evict-exchanges", "evict-steps", "stub-tool-results", "cap-tool-results", "summarize-prefix", "drop-reasoning", "drop-oldest-messages",
)  # fmt: skip


def format_named(name: str) -> Format:
    from app.formats import FORMATS

    return _pick("format", name, FORMATS)


def provider_named(name: str) -> Provider:
    from app.providers import PROVIDERS

    return _pick("provider", name, PROVIDERS)


def format_summaries() -> dict[str, str]:
    """Formats by name to their one-line meaning."""
    from app.formats import FORMATS

    return {name: format.summary for name, format in FORMATS.items()}


def on_wire(provider: Provider, table: Table) -> Provider:
    """A provider as it reads the messages of a dump."""
    from app.formats import FORMATS

    known = FORMATS.get(table.format)
    return provider if known is None else provider.reads(table.wire or known.provider)


def judge_of(table: Table) -> str:
    """Name of the provider whose rules judge a dump unless told otherwise."""
    from app.formats import FORMATS

    return table.wire or FORMATS[table.format].provider


def provider_titles() -> dict[str, str]:
    """Providers by name to what people call them."""
    from app.providers import PROVIDERS

    return {name: provider.title for name, provider in PROVIDERS.items()}


def rule_summary(name: str) -> str:
    """A rule's one-line meaning; "" where there is no such rule."""
    from app.rules import RULES

    return RULES[name].summary if name in RULES else ""


def _pick(what: str, name: str, known: Mapping[str, T]) -> T:
    found = known.get(name)
    if found is None:
        raise InspectorError(f"{name!r} is no {what} that this program knows; there are {', '.join(sorted(known))}")
    return found
