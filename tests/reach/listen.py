"""What a screen reader is told of a window, as JSON: run by a Python that has the bindings of AT-SPI (the system's own), in a session bus.

listen.py NAME SECONDS: waits until the application NAME shows a transcript that is judged and ranked, walks all that it shows, sets its
slider and presses a button through the bus alone, and prints what it heard: {"seen": [...], "slid": {...}, "pressed": {...}}.
"""

import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

MOST, CHILDREN = 2_000, 30
LEFT_OUT = ("menu", "popup menu")  # what a menu holds is known by the table of actions


def told(node, path):
    """One thing: role, name, description, states, and the value of what has one."""
    out = {
        "role": node.get_role_name(),
        "name": node.get_name() or "",
        "description": node.get_description() or "",
        "states": [state.value_nick for state in node.get_state_set().get_states()],
        "path": path,
    }
    if out["role"] in ("slider", "spin button"):
        value = node.get_value_iface()
        if value is not None:
            out["value"] = [value.get_minimum_value(), value.get_current_value(), value.get_maximum_value()]
    return out


def walk(node, path, out):
    here = told(node, path)
    if "showing" not in here["states"] and here["role"] != "application":
        return
    out.append((here, node))
    if here["role"] in LEFT_OUT or len(out) >= MOST:
        return
    for number in range(min(node.get_child_count(), CHILDREN)):
        child = node.get_child_at_index(number)
        if child is not None:
            walk(child, [*path, f"{here['role']}:{here['name']}"], out)


def application(name, until):
    while time.monotonic() < until:
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            found = desktop.get_child_at_index(number)
            if found is not None and name in (found.get_name() or ""):
                return found
        time.sleep(0.2)
    raise SystemExit(f"no application {name} on the bus")


def find(node, role, words):
    """The first thing of a role whose name or description holds words."""
    its = node.get_role_name()
    if its == role and words in f"{node.get_name()}\n{node.get_description()}":
        return told(node, []), node
    if its in (*LEFT_OUT, "table", "menu bar", "page tab list", "text"):
        return None, None
    for number in range(node.get_child_count()):
        child = node.get_child_at_index(number)
        found = find(child, role, words) if child is not None else (None, None)
        if found[0] is not None:
            return found
    return None, None


def wait(node, role, words, until):
    while time.monotonic() < until:
        try:
            found = find(node, role, words)
        except GLib.GError:  # the first window has made room for the real one in the midst of it
            found = None, None
        if found[0] is not None:
            return found
        time.sleep(0.3)
    raise SystemExit(f"no {role} that says {words}")


def main():
    name, until = sys.argv[1], time.monotonic() + float(sys.argv[2])
    Atspi.init()
    app = application(name, until)
    wait(app, "label", "exact o200k_base", until)
    _, slider = wait(app, "slider", "parked", until)
    time.sleep(0.5)
    seen = []
    walk(app, [], seen)
    slider.get_value_iface().set_current_value(20_000)
    slid, _ = wait(app, "slider", "budget 20,000 tokens", until)
    _, button = wait(app, "push button", "Preview repair", until)
    button.get_action_iface().do_action(0)
    pressed, _ = wait(app, "label", "After 2 changes", until)
    print(json.dumps({"seen": [here for here, _ in seen], "slid": slid, "pressed": pressed}))


main()
