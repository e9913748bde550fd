"""Strategies are found by looking; a module without one, or with the name of another, is an error at once."""

import types

import pytest

import app.strategies as package
from app.strategies import STRATEGIES


def test_every_module_is_documented_and_named_by_its_act():
    for module in package.hidden_modules():
        found = __import__(module, fromlist=["STRATEGY"])
        assert found.__doc__
        assert found.STRATEGY.name == module.rpartition(".")[2].replace("_", "-")


def test_a_module_without_a_strategy_is_an_error(monkeypatch):
    monkeypatch.setattr(package, "import_module", lambda name: types.ModuleType(name))
    with pytest.raises(TypeError, match="defines no STRATEGY"):
        package._discover()


def test_two_of_one_name_are_an_error(monkeypatch):
    module = types.SimpleNamespace(STRATEGY=STRATEGIES["evict-steps"])
    monkeypatch.setattr(package, "import_module", lambda name: module)
    with pytest.raises(ValueError, match="there is a strategy evict-steps already"):
        package._discover()
