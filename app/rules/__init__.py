"""Rules by name. One module a rule: its docstring is the help that a person reads; it defines RULE. Modules that begin with `_` are
shared parts. Which rules judge is said by a provider (`Provider.judges`)."""

from __future__ import annotations

import importlib
import pkgutil

from app.rules._rule import Rule


def hidden_modules() -> list[str]:
    """Names of the modules that are imported by being found, for whoever freezes the program."""
    return [f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_")]


def _discover() -> dict[str, Rule]:
    rules: dict[str, Rule] = {}
    for module in hidden_modules():
        rule = getattr(importlib.import_module(module), "RULE", None)
        if not isinstance(rule, Rule):
            raise TypeError(f"{module} defines no RULE")
        if rule.name in rules:
            raise TypeError(f"{module}: there is a rule {rule.name!r} already")
        if module.rsplit(".", 1)[-1] != rule.name.replace("-", "_"):
            raise TypeError(f"{module}: a rule's module bears its name, {rule.name!r}")
        rules[rule.name] = rule
    return rules


RULES = _discover()
