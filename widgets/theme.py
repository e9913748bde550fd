"""Colours and fonts, in one place: a light and a dark theme, the palette and style made from them, and who asks for what.

Meaning is never carried by colour alone: each colour of a kind or a severity has a glyph and a word beside it wherever it is used.
Text colours keep a contrast of at least 4.5 to 1 on the papers that they are used on (tests/widgets/test_theme.py).
"""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QAccessibilityHints, QColor, QFont, QFontDatabase, QFontInfo, QFontMetrics, QGuiApplication, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from widgets.stylesheet import SHEET
from widgets.theme_colours import DARK, DARK_HIGH, LIGHT, LIGHT_HIGH

Name = Literal["light", "dark", "system"]
NAMES: tuple[Name, ...] = ("light", "dark", "system")
BASE = 12  # pixels of the font that all measures are drawn for; see `scaled`
SMALLER, LARGER = -2, 12  # steps of a pixel by which text can be made smaller and larger

FONT_NEEDED = "No font was found; Qt ships none. Install one, for example: sudo apt-get install -y fonts-dejavu-core"


class Theme:
    """What a panel paints with. `text` and `system` are the colours of kinds; `ink*` colour words, `paper*` and `band` lie under them.

    `ink_soft` is for words of less weight, `ink_faint` for what may be overlooked; `rule_line` for hairlines. `error_paper` and
    its like are tints under words of that severity. `selection` lies under selected rows, `blue` marks budget, cut and focus.
    """

    name: Literal["light", "dark"]
    high: bool  # of high contrast
    larger: int  # pixels that a person added to the size of text
    # kinds
    user: QColor
    text: QColor
    reasoning: QColor
    tool_call: QColor
    tool_result: QColor
    media: QColor
    system: QColor
    # severities and acts
    error: QColor
    warning: QColor
    note: QColor
    green: QColor
    blue: QColor
    # words and what lies under them
    ink: QColor
    ink_soft: QColor
    ink_faint: QColor
    paper: QColor
    paper_alt: QColor
    band: QColor
    rule_line: QColor
    border: QColor
    selection: QColor
    error_paper: QColor
    warning_paper: QColor
    note_paper: QColor
    green_paper: QColor
    on_blue: QColor  # words on a blue button
    hit: QColor  # edge and ground of what is looked for
    hit_paper: QColor
    # the outline of the chart and of bars without a kind
    outline: QColor
    bar: QColor
    # fonts
    ui: QFont
    ui_bold: QFont
    mono: QFont
    small: QFont
    row_height: int  # pixels: of a row of the list, the plan table and the other lists

    def __init__(self, **values: Any) -> None:
        """By hand: of forty fields, a dataclass is made in a twentieth of what a bare window's start takes."""
        self.__dict__.update(values)

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    @property
    def key(self) -> str:
        """What a widget that was styled in it bears: another theme has another."""
        return f"{self.name} {self.high} {self.larger}"

    def kind(self, kind: int) -> QColor:
        """Colour of a kind of block."""
        return getattr(self, KIND_COLOURS[kind])  # type: ignore[no-any-return]

    def severity(self, severity: str) -> QColor:
        """Colour of `error`, `warning` or `note`."""
        return {"error": self.error, "warning": self.warning}.get(severity, self.note)


# by the number of a Kind: app.model.kinds needs numpy, and the first window must not wait for that
KIND_COLOURS = ("text", "reasoning", "tool_call", "tool_result", "media", "system", "system", "system", "system")

# glyphs that stand beside the colours of kinds, each in every font that we met
KIND_GLYPHS = "●◆▶◀▣▢▢▢▢"
USER_GLYPH = "■"

STYLED = "transcript-inspector-styled"  # property of the application: the theme that it has; style and sheet are set once

FUSION = "transcript-inspector-fusion"  # property of the application: it was made with the style
STYLE = "Fusion"  # the one style that follows a palette on every platform

_current: Theme | None = None


def made(words: list[str]) -> QApplication:
    """The application, in the style from the start: to set it later gives a QStyle back, whose class has fifty enumerations, and they
    take a tenth of what a bare window's start takes."""
    app = QApplication([*words, "-style", STYLE])
    app.setProperty(FUSION, True)
    return app


def current() -> Theme:
    """The theme in force; the light one before `apply` was called. Needs a QGuiApplication. Ask anew on PaletteChange."""
    global _current
    if _current is None:
        _current = _make("light", False, 0)
    return _current


def scaled(pixels: float) -> int:
    """A measure that grows and shrinks with the text: `pixels` where its font has the size that all is drawn for."""
    return round(pixels * current().ui.pixelSize() / BASE)


def measure(width: int, height: int) -> QSize:
    """A window's size that grows with the text, as far as the screen has room. (The offscreen platform's screen is no screen.)"""
    size, screen = QSize(max(width, scaled(width)), max(height, scaled(height))), QGuiApplication.primaryScreen()
    if screen is None or QGuiApplication.platformName() == "offscreen":
        return size.boundedTo(QSize(1400, 880))
    room = screen.availableGeometry().size()
    return size.boundedTo(QSize(room.width() - 40, room.height() - 60)).expandedTo(QSize(width, height).boundedTo(room))


def apply(app: QApplication, name: Name, contrast: str = "system", larger: int = 0) -> Theme:
    """Puts a theme in force: palette first, then a small style sheet. `system` follows what the desktop says, for the `contrast` too
    (system, high or normal). `larger`: pixels that text has more than the desktop's own."""
    global _current
    before = _current
    _current = theme = _make(_resolve(name), _is_high(contrast), min(max(larger, SMALLER), LARGER))
    if app.property(STYLED) == theme.key:
        return theme
    first = app.property(STYLED) is None
    if first and not app.property(FUSION):
        app.setStyle(STYLE)
    if first or before is None or before.ui.pixelSize() != theme.ui.pixelSize():
        app.setFont(theme.ui)
        QToolTip.setFont(theme.ui)
    app.setPalette(_palette(theme))
    if first:
        app.setStyleSheet(SHEET)
    else:
        _polish(app)
    app.setProperty(STYLED, theme.key)
    return theme


_AT_ONCE = 24  # hidden widgets that are polished in one go: some milliseconds
_PAUSE_MS = 20
_REST_MS = 150  # before the first of them: the window is painted first
PAPER = "transcript-inspector-paper"  # property of a widget: the colour of its own ground
_POLISHED = "transcript-inspector-polished"  # property of a widget: the theme that it was polished in


def _polish(app: QApplication) -> None:
    """Widgets keep the colours of a rule from when they were polished. Doing it again costs a sixth of setting the sheet again; those
    that nobody sees wait until there is nothing else to do."""
    for widget in app.allWidgets():
        if widget.isVisible():
            _polish_again(widget)
    QTimer.singleShot(_REST_MS, app, _polish_hidden)


def _polish_hidden() -> None:
    """Some of them; they are asked for anew each time, for one that Qt made may be gone by now without a word."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    left = [widget for widget in app.allWidgets() if widget.property(_POLISHED) != current().key]
    for widget in left[:_AT_ONCE]:
        _polish_again(widget)
    if len(left) > _AT_ONCE:
        QTimer.singleShot(_PAUSE_MS, app, _polish_hidden)


def _polish_again(widget: QWidget) -> None:
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    if widget.inherits("QTabBar"):  # that it had a font of its own before is what the style sheet remembers of it
        widget.setFont(current().ui)
    colour = widget.property(PAPER)
    if isinstance(colour, QColor):  # a style sheet that lets go of a widget gives it the palette back that it had when it took it
        ground(widget, colour)
    widget.setProperty(_POLISHED, current().key)
    widget.update()


def ground(widget: QWidget, colour: QColor) -> None:
    """Puts a colour behind a widget that fills its own ground."""
    palette = widget.palette()
    palette.setColor(QPalette.ColorRole.Window, colour)
    widget.setPalette(palette)


def missing_font() -> str | None:
    """One line that says what to install where the machine has no font at all, else None."""
    found = any(QFontDatabase.isSmoothlyScalable(family) for family in QFontDatabase.families())
    return None if found else FONT_NEEDED


def _resolve(name: Name) -> Literal["light", "dark"]:
    if name != "system":
        return name
    from PySide6.QtCore import Qt  # not before the first paint: widgets/inks.py

    return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def _is_high(contrast: str) -> bool:
    if contrast in ("high", "normal"):
        return contrast == "high"
    from PySide6.QtCore import Qt

    return contrast_hints().contrastPreference() == Qt.ContrastPreference.HighContrast


_hints: tuple[QStyleHints, QAccessibilityHints] | None = None


def contrast_hints() -> QAccessibilityHints:
    """What the desktop says of contrast. Both are kept: PySide6 6.11 holds the second for gone as soon as nobody has the first."""
    global _hints
    if _hints is None:
        hints = QGuiApplication.styleHints()
        _hints = hints, hints.accessibility()
    return _hints[1]


def _make(name: Literal["light", "dark"], high: bool, larger: int) -> Theme:
    chosen = (DARK_HIGH if high else DARK) if name == "dark" else (LIGHT_HIGH if high else LIGHT)
    colours = {key: QColor(value) for key, value in chosen.items()}
    ui = _ui_font(larger)
    bold = QFont(ui)
    bold.setBold(True)
    small = QFont(ui)
    small.setPixelSize(max(9, ui.pixelSize() - 1))
    height = max(18 if larger < 0 else 22, QFontMetrics(ui).height() + 6)
    mono = _mono_font(ui.pixelSize())
    return Theme(name=name, high=high, larger=larger, ui=ui, ui_bold=bold, mono=mono, small=small, row_height=height, **colours)


def _ui_font(larger: int) -> QFont:
    """The desktop's own font with tabular digits; 12 pixels where it says less (one size for all rows), and what a person added."""
    font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont))
    font.setPixelSize(max(BASE, QFontInfo(font).pixelSize()) + larger)
    return _tabular(font)


def _mono_font(pixels: int) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if not QFontInfo(font).fixedPitch():
        known = set(QFontDatabase.families())
        names = ("DejaVu Sans Mono", "Menlo", "Consolas", "Cascadia Mono", "Liberation Mono", "Noto Sans Mono", "Courier New")
        font = QFont(next((name for name in names if name in known), "monospace"))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(max(9, pixels - 1))
    return font


def _tabular(font: QFont) -> QFont:
    font.setFeature(QFont.Tag("tnum"), 1)  # no effect where the font has no such feature
    return font


def _palette(theme: Theme) -> QPalette:
    palette, role, disabled = QPalette(), QPalette.ColorRole, QPalette.ColorGroup.Disabled
    for which, colour in (
        (role.Window, theme.paper), (role.WindowText, theme.ink), (role.Base, theme.paper), (role.AlternateBase, theme.paper_alt),
        (role.Text, theme.ink), (role.Button, theme.paper), (role.ButtonText, theme.ink), (role.BrightText, theme.ink_soft),
        (role.ToolTipBase, theme.paper), (role.ToolTipText, theme.ink), (role.PlaceholderText, theme.ink_faint),
        (role.Highlight, theme.selection), (role.HighlightedText, theme.ink), (role.Accent, theme.blue),
        (role.Link, theme.blue), (role.LinkVisited, theme.on_blue), (role.Light, theme.paper), (role.Midlight, theme.band),
        (role.Mid, theme.rule_line), (role.Dark, theme.border),
        (role.Shadow, theme.blue.lighter(112) if theme.dark else theme.blue.darker(112)),
    ):  # fmt: skip
        palette.setColor(which, colour)
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(disabled, which, theme.ink_faint)
    return palette
