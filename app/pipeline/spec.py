"""What a person wrote to name a strategy: `name`, `name:key=value,key=value`, several joined by `+`; or a policy as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from app.model.errors import InspectorError
from app.model.plan import Ranking
from app.pipeline.catalogue import strategy_named

Spec = Sequence[tuple[str, Mapping[str, Any]]]
"""The links of a chain: name of a strategy and the parameters that were given."""


def parse_spec(text: str) -> list[tuple[str, dict[str, Any]]]:
    """`name:key=value,key=value` joined by `+`: for each link its name and every parameter, those not given at their default.

    Raises InspectorError, one clear line, for a name, a key or a value that is off.
    """
    links: list[tuple[str, dict[str, Any]]] = []
    for link in text.split("+"):
        name, _, rest = link.strip().partition(":")
        strategy = strategy_named(name.strip())
        given: dict[str, Any] = {}
        for item in rest.split(",") if rest.strip() else []:
            key, sign, value = item.partition("=")
            if not sign:
                hint = "a text with a comma or a plus goes into a policy file"
                raise InspectorError(f"{strategy.name}: {item!r} is not key=value ({hint})")
            if key.strip() in given:
                raise InspectorError(f"{strategy.name}: {key.strip()} is given twice")
            given[key.strip()] = value
        links.append((strategy.name, strategy.read_params(given)))
    _require_alone(links)
    return links


def _require_alone(links: Spec) -> None:
    """A preset goes by its own gate, over all that is there: it has no actions that a chain could put behind others."""
    gated = next((name for name, _ in links if strategy_named(name).gated), None)
    if gated is not None and len(links) > 1:
        raise InspectorError(f"{gated} imitates a whole pass and joins no chain; apply one after the other")


def parse_policy(data: bytes, name: str) -> list[tuple[str, dict[str, Any]]]:
    """A policy file, `{"strategy": name, "params": {...}}` or a list of such for a chain. `name` is the file's, for what is said of it.

    A member `about` (app/pipeline/policy.py writes it) is for people and is passed over.
    """
    try:
        policy = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InspectorError(f'{name}: not JSON ({error}); a policy is {{"strategy": name, "params": {{…}}}}') from None
    links: list[tuple[str, dict[str, Any]]] = []
    for link in policy if isinstance(policy, list) and policy else [policy]:
        if not isinstance(link, dict) or not isinstance(link.get("strategy"), str) or not isinstance(link.get("params", {}), dict):
            raise InspectorError(f'{name}: a policy is {{"strategy": name, "params": {{…}}}}, or a list of such for a chain')
        unknown = sorted(set(link) - {"strategy", "params", "about"})
        if unknown:
            raise InspectorError(f"{name}: a policy has no {unknown[0]!r}; it holds strategy and params")
        try:
            links.append((link["strategy"], strategy_named(link["strategy"]).read_params(link.get("params", {}))))
        except InspectorError as error:
            raise InspectorError(f"{name}: {error}") from None
    try:
        _require_alone(links)
    except InspectorError as error:
        raise InspectorError(f"{name}: {error}") from None
    return links


def read_spec(spec: str | Spec) -> list[tuple[str, dict[str, Any]]]:
    """A spec with every parameter."""
    if isinstance(spec, str):
        return parse_spec(spec)
    return [(name, strategy_named(name).read_params(params)) for name, params in spec]


def written(links: Spec) -> str:
    """A spec as one would write it, parameters at their default left out."""
    parts = []
    for name, params in links:
        defaults = strategy_named(name).read_params({})
        given = [f"{key}={_word(value)}" for key, value in params.items() if defaults[key] != value]
        parts.append(name + (":" + ",".join(given) if given else ""))
    return "+".join(parts)


def _word(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else orjson.dumps(value).decode()


def chain_params(links: Spec) -> dict[str, Any]:
    """The parameters of a spec as a plan states them: those of the one strategy; of a chain by name, a second one of a name numbered."""
    if len(links) == 1:
        return dict(links[0][1])
    named: dict[str, Any] = {}
    for name, params in links:
        again = sum(1 for key in named if key.partition(" ")[0] == name)
        named[f"{name} {again + 1}" if again else name] = dict(params)
    return named


def spec_of(ranking: Ranking) -> list[tuple[str, dict[str, Any]]]:
    """The spec that a ranking was made from."""
    names = ranking.strategy.split("+")
    if len(names) == 1:
        return [(names[0], dict(ranking.params))]
    return [(name, dict(params)) for name, params in zip(names, ranking.params.values(), strict=True)]
