"""The small style sheet that a theme needs beside its palette: buttons, pick-lists, tabs, splitters, focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from widgets.theme import Theme

_SHEET = """
QToolTip {{ background: {paper}; color: {ink}; border: 1px solid {border}; padding: 4px 6px; }}
QMenuBar {{ background: {paper_alt}; color: {ink}; border: none; }}
QMenuBar::item {{ padding: 4px 9px; background: transparent; }}
QMenuBar::item:selected {{ background: {selection}; }}
QMenu {{ background: {paper}; color: {ink}; border: 1px solid {border}; padding: 4px 0; }}
QMenu::item {{ padding: 4px 26px 4px 22px; }}
QMenu::item:selected {{ background: {selection}; color: {ink}; }}
QMenu::item:disabled {{ color: {ink_faint}; }}
QMenu::separator {{ height: 1px; background: {rule_line}; margin: 4px 0; }}

QPushButton {{ background: {paper}; color: {ink}; border: 1px solid {border}; border-radius: 4px; padding: 3px 9px; min-height: 18px; }}
QPushButton:hover {{ background: {band}; }}
QPushButton:pressed {{ background: {selection}; }}
QPushButton:focus {{ border: 2px solid {blue}; padding: 2px 8px; }}
QPushButton:disabled {{ color: {ink_faint}; background: {paper_alt}; border-color: {rule_line}; }}
QPushButton[primary="true"] {{ background: {blue}; color: {on_blue}; border: 1px solid {blue}; font-weight: bold; }}
QPushButton[primary="true"]:hover {{ background: {blue_hover}; border-color: {blue_hover}; }}
QPushButton[primary="true"]:focus {{ border: 2px solid {ink}; }}
QPushButton[primary="true"]:disabled {{ background: {band}; color: {ink_faint}; border: 1px solid {rule_line}; }}
QPushButton[link="true"] {{ background: transparent; border: 1px solid transparent; color: {blue}; padding: 1px 3px; min-height: 0; }}
QPushButton[link="true"]:hover {{ text-decoration: underline; }}
QPushButton[link="true"]:focus {{ border: 1px solid {blue}; border-radius: 3px; }}
QPushButton[link="true"]:disabled {{ color: {ink_faint}; }}
QPushButton[flat="true"] {{ background: transparent; border: 1px solid transparent; color: {ink_soft}; padding: 1px 4px; min-height: 0; }}
QPushButton[flat="true"]:hover {{ color: {ink}; }}
QPushButton[flat="true"]:focus {{ border: 1px solid {blue}; border-radius: 3px; }}
QPushButton[seg="true"] {{ background: transparent; border: none; border-radius: 0; border-bottom: 2px solid transparent; color: {ink_soft};
    padding: 2px 6px; min-height: 0; }}
QPushButton[seg="true"]:hover {{ color: {ink}; }}
QPushButton[seg="true"]:checked {{ color: {ink}; border-bottom: 2px solid {blue}; font-weight: bold; }}
QPushButton[seg="true"]:focus {{ background: {selection}; }}
QPushButton::menu-indicator {{ width: 0; }}

QLineEdit, QSpinBox {{ background: {paper}; color: {ink}; border: 1px solid {border}; border-radius: 4px; padding: 3px 7px;
    min-height: 18px; selection-background-color: {blue}; selection-color: {on_blue}; }}
QLineEdit:focus, QSpinBox:focus {{ border: 2px solid {blue}; padding: 2px 6px; }}
QLineEdit:disabled, QSpinBox:disabled {{ color: {ink_faint}; background: {paper_alt}; }}

QTabWidget::pane {{ border: none; }}
QTabBar {{ background: {paper_alt}; }}
QTabBar::tab {{ background: transparent; color: {ink_soft}; padding: 5px 16px; border: none; border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ background: {paper}; color: {ink}; border-bottom: 2px solid {blue}; }}
QTabBar::tab:hover {{ color: {ink}; }}
QTabBar::tab:focus {{ background: {selection}; }}

QFrame[hairline="true"] {{ background: {rule_line}; border: none; }}
QSplitter::handle {{ background: {rule_line}; }}
QSplitter::handle:hover {{ background: {blue}; }}
QHeaderView::section {{ background: {paper_alt}; color: {ink_soft}; border: none; padding: 2px 6px; }}
QAbstractScrollArea {{ border: none; }}
QPlainTextEdit[framed="true"] {{ border: 1px solid {border}; border-radius: 4px; background: {paper}; }}
QPlainTextEdit[framed="true"]:focus {{ border-color: {blue}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {border}; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }}
QScrollBar::handle:hover {{ background: {ink_faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QProgressBar {{ background: {band}; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }}
QProgressBar::chunk {{ background: {blue}; border-radius: 3px; }}
"""


def stylesheet(theme: Theme) -> str:
    """The application's style sheet in the colours of `theme`."""
    names = ("paper", "paper_alt", "band", "ink", "ink_soft", "ink_faint", "border", "rule_line", "selection", "blue", "on_blue")
    colours = {name: getattr(theme, name).name() for name in names}
    colours["blue_hover"] = (theme.blue.lighter(112) if theme.dark else theme.blue.darker(112)).name()
    return _SHEET.format(**colours)
