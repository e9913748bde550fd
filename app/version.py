"""The version, in one place; and the names that a desktop knows the program by."""

VERSION = "0.1.0"

DESKTOP_ID = "io.github.transcript_inspector.TranscriptInspector"
"""Of the menu entry, the icon and the AppStream metadata (packaging/linux): a Wayland desktop finds a window's icon by it."""
