"""Providers by name. One module a provider: it defines PROVIDER; modules that begin with `_` are shared parts."""

from __future__ import annotations

import importlib
import pkgutil

from app.model.provider import Provider


def hidden_modules() -> list[str]:
    """Names of the modules that are imported by being found, for whoever freezes the program."""
    return [f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_")]


def _discover() -> dict[str, Provider]:
    providers: dict[str, Provider] = {}
    for module in hidden_modules():
        provider = getattr(importlib.import_module(module), "PROVIDER", None)
        if not isinstance(provider, Provider):
            raise TypeError(f"{module} defines no PROVIDER")
        if provider.name in providers:
            raise TypeError(f"{module}: there is a provider {provider.name!r} already")
        providers[provider.name] = provider
    return providers


PROVIDERS = _discover()
