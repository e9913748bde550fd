"""The style sheet beside the palette: buttons, pick-lists, tabs, splitters, focus. One text for every theme.

Colours are names of palette roles, so that another theme is another palette and nothing is parsed or polished anew (a sheet that is set
again costs 0.2 s with a few hundred widgets). Some roles bear what Qt has no role for; widgets/theme.py fills them:
bright-text: soft words; placeholder-text: faint words; dark: borders; mid: hairlines; midlight: bands; link: blue; link-visited: words
on blue; shadow: blue under the pointer.
"""

from __future__ import annotations

SHEET = """
QToolTip { background: palette(base); color: palette(text); border: 1px solid palette(dark); padding: 4px 6px; }
QMenuBar { background: palette(alternate-base); color: palette(text); border: none; }
QMenuBar::item { padding: 4px 9px; background: transparent; }
QMenuBar::item:selected { background: palette(highlight); }
QMenu { background: palette(base); color: palette(text); border: 1px solid palette(dark); padding: 4px 0; }
QMenu { icon-size: 12px; }
QMenu::item { padding: 4px 26px 4px 22px; min-height: 14px; }
QMenu::item:selected { background: palette(highlight); color: palette(text); }
QMenu::item:disabled { color: palette(placeholder-text); }
QMenu::separator { height: 1px; background: palette(mid); margin: 4px 0; }

QPushButton { background: palette(base); color: palette(text); border: 1px solid palette(dark); border-radius: 4px; padding: 3px 9px;
    min-height: 18px; }
QPushButton:hover { background: palette(midlight); }
QPushButton:pressed { background: palette(highlight); }
QPushButton:focus { border: 2px solid palette(link); padding: 2px 8px; }
QPushButton:disabled { color: palette(placeholder-text); background: palette(alternate-base); border-color: palette(mid); }
QPushButton[primary="true"] { background: palette(link); color: palette(link-visited); border: 1px solid palette(link);
    font-weight: bold; }
QPushButton[primary="true"]:hover { background: palette(shadow); border-color: palette(shadow); }
QPushButton[primary="true"]:focus { border: 2px solid palette(text); }
QPushButton[primary="true"]:disabled { background: palette(midlight); color: palette(placeholder-text); border: 1px solid palette(mid); }
QPushButton[link="true"] { background: transparent; border: 1px solid transparent; color: palette(link); padding: 1px 3px;
    min-height: 0; }
QPushButton[link="true"]:hover { text-decoration: underline; }
QPushButton[link="true"]:focus { border: 1px solid palette(link); border-radius: 3px; }
QPushButton[link="true"]:disabled { color: palette(placeholder-text); }
QPushButton[flat="true"] { background: transparent; border: 1px solid transparent; color: palette(bright-text); padding: 1px 4px;
    min-height: 0; }
QPushButton[flat="true"]:hover { color: palette(text); }
QPushButton[flat="true"]:focus { border: 1px solid palette(link); border-radius: 3px; }
QPushButton[seg="true"] { background: transparent; border: 1px solid transparent; border-radius: 0; border-bottom: 2px solid transparent;
    color: palette(bright-text);
    padding: 1px 5px; min-height: 0; }
QPushButton[seg="true"]:hover { color: palette(text); }
QPushButton[seg="true"]:checked { color: palette(text); border-bottom: 2px solid palette(link); font-weight: bold; }
QPushButton[seg="true"]:focus { border: 1px solid palette(link); border-bottom: 2px solid palette(link); border-radius: 3px; }
QPushButton[chip="true"] { border-radius: 9px; padding: 1px 9px; min-height: 16px; color: palette(bright-text); }
QPushButton[chip="true"]:focus { border: 2px solid palette(link); padding: 0 8px; }
QPushButton[chip="true"]:checked, QPushButton[chip="true"][held="true"] { background: palette(highlight); color: palette(text);
    border-color: palette(link); }
QPushButton[chip="true"]:disabled { color: palette(placeholder-text); }
QPushButton::menu-indicator { width: 0; }

QLineEdit, QSpinBox { background: palette(base); color: palette(text); border: 1px solid palette(dark); border-radius: 4px;
    padding: 3px 7px;
    min-height: 18px; selection-background-color: palette(link); selection-color: palette(link-visited); }
QLineEdit:focus, QSpinBox:focus { border: 2px solid palette(link); padding: 2px 6px; }
QLineEdit:disabled, QSpinBox:disabled { color: palette(placeholder-text); background: palette(alternate-base); }

QCheckBox::indicator:unchecked, QAbstractItemView::indicator:unchecked { width: 13px; height: 13px; border: 1px solid palette(dark);
    border-radius: 3px; background: palette(base); }
QCheckBox::indicator:unchecked:hover { background: palette(midlight); }
QCheckBox::indicator:unchecked:focus { border-color: palette(link); }

QComboBox { background: palette(base); color: palette(text); border: 1px solid palette(dark); border-radius: 4px;
    padding: 3px 2px 3px 7px; min-height: 18px; }
QComboBox:hover { background: palette(midlight); }
QComboBox:focus, QComboBox:on { border: 2px solid palette(link); padding: 2px 1px 2px 6px; }
QComboBox:disabled { color: palette(placeholder-text); background: palette(alternate-base); }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: none; }
QComboBox QLineEdit { border: none; padding: 0; min-height: 0; background: transparent; }
QComboBox QAbstractItemView { background: palette(base); color: palette(text); border: 1px solid palette(dark); outline: none;
    selection-background-color: palette(highlight); selection-color: palette(text); }
QComboBox QAbstractItemView::item { padding: 3px 7px; min-height: 18px; }
QCheckBox { color: palette(text); spacing: 7px; padding: 2px; border: 1px solid transparent; border-radius: 3px; }
QCheckBox:focus { border: 1px solid palette(link); }
QCheckBox:disabled { color: palette(placeholder-text); }

QTabWidget::pane { border: none; }
QTabBar { background: palette(alternate-base); }
QTabBar::tab { background: transparent; color: palette(bright-text); padding: 5px 14px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar::tab:selected { background: palette(base); color: palette(text); border-bottom: 2px solid palette(link); }
QTabBar::tab:hover { color: palette(text); }
QTabBar::tab:focus { border: 1px solid palette(link); border-bottom: 2px solid palette(link); padding: 4px 13px 5px 13px; }
QTabBar QToolButton { background: palette(base); border: 1px solid palette(mid); }

QFrame[hairline="true"] { background: palette(mid); border: none; }
QSplitter::handle { background: palette(mid); }
QSplitter::handle:hover { background: palette(link); }
QHeaderView::section { background: palette(alternate-base); color: palette(bright-text); border: none; padding: 2px 3px; }
QAbstractScrollArea { border: none; }
QPlainTextEdit, QTextBrowser, QTreeView, LineList, FlatTable, PlanTable { border: 1px solid transparent; }
QPlainTextEdit:focus, QTextBrowser:focus, QTreeView:focus, LineList:focus, FlatTable:focus, PlanTable:focus {
    border: 1px solid palette(link); }
QPlainTextEdit[bare="true"]:focus { border-color: transparent; }
QPlainTextEdit[framed="true"] { border: 1px solid palette(dark); border-radius: 4px; background: palette(base); }
QPlainTextEdit[framed="true"]:focus { border-color: palette(link); }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: palette(dark); border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::handle:hover { background: palette(placeholder-text); }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QListWidget { background: palette(alternate-base); outline: none; padding: 8px 0; }
QListWidget::item { padding: 6px 14px; border-left: 3px solid transparent; color: palette(text); }
QListWidget::item:selected { background: palette(highlight); color: palette(text); border-left: 3px solid palette(dark); }
QListWidget::item:selected:active { border-left: 3px solid palette(link); }
QListWidget:focus { border: 1px solid palette(link); }
QProgressBar { background: palette(midlight); border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: palette(link); border-radius: 3px; }
"""
