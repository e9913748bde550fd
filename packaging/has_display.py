"""Exit status 0 where a window can be opened: a display that answers, or a system that always has one."""

import os
import socket
import sys


def x_answers(display):
    """Whether something listens behind DISPLAY (":0", "host:10.0"); a stale variable would make Qt abort the process."""
    host, _, number = display.rpartition(":")
    number = number.split(".")[0]
    if not number.isdigit():
        return False
    try:
        if host in ("", "unix"):
            with socket.socket(socket.AF_UNIX) as s:
                try:
                    s.connect("/tmp/.X11-unix/X" + number)
                except OSError:
                    s.connect("\0/tmp/.X11-unix/X" + number)
        else:
            socket.create_connection((host, 6000 + int(number)), timeout=2).close()
    except OSError:
        return False
    return True


def wayland_answers(name):
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), name)
    return os.path.exists(path)


def main():
    if sys.platform in ("darwin", "win32"):
        return 0
    if os.environ.get("QT_QPA_PLATFORM") in ("offscreen", "minimal"):
        return 1
    if os.environ.get("WAYLAND_DISPLAY") and wayland_answers(os.environ["WAYLAND_DISPLAY"]):
        return 0
    return 0 if os.environ.get("DISPLAY") and x_answers(os.environ["DISPLAY"]) else 1


if __name__ == "__main__":
    sys.exit(main())
