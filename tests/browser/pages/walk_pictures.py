"""Draw the picture of decision 306, screens of three kinds of apps: `python -m tests.browser.pages.walk_pictures`."""

from typing import Any

from PIL import Image

from tests.browser.pages.page_server import running_page_server
from tests.browser.pages.pictures import FIGURES, Picture, draw
from tests.support.browser import running_browser

_LESSONS = {
    "colors": {
        "primary": "#58a700",
        "background": "#ffffff",
        "text": "#3c3c3c",
        "surface": "#ffffff",
        "border": "#e5e5e5",
    },
    "border_radius": {"button": 16, "card": 16},
    "typography": {"weights": {"heading": 800, "body": 500}},
    "button": {"shadow": True, "height": 52},
    "transition": "slide",
}
_BREATH = {
    "colors": {"primary": "#ffffff", "background": "#16264f", "text": "#ffffff", "surface": "#24386b"},
    "appearance": "dark",
    "background": {"gradient": ["#4a6fc4", "#16264f"], "angle": 180},
    "border_radius": {"button": 28, "card": 20},
    "typography": {"align": "center", "weights": {"heading": 600, "body": 400}},
    "button": {"shape": "pill"},
    "progress": "none",
    "transition": "fade",
    "spacing": "airy",
}
_MILES = {
    "colors": {"primary": "#e34402", "background": "#ffffff", "text": "#242428", "surface": "#f7f7fa"},
    "border_radius": {"button": 8, "card": 10},
    "typography": {"weights": {"heading": 800, "body": 400}, "letterSpacing": -0.01},
    "button": {"shape": "rounded"},
    "choice": "list",
    "progress": "steps",
}


def _screen(kind: str, content: dict[str, Any], **settings: object) -> dict[str, Any]:
    return {"type": kind, "content": content, "settings": settings}


_ROWS = (
    ("lessons", _LESSONS, [
        _screen("welcome", {
            "title": "Hello! I am Pip.", "subtitle": "Five small questions, then your first lesson.",
            "illustration": "chat", "primary_button": "Continue",
        }, layout="centered"),
        _screen("question_single_choice", {
            "question": "Why are you learning Spanish?",
            "options": [
                {"label": "Just for fun", "emoji": "🎉"}, {"label": "Travel", "icon": "plane"},
                {"label": "For my work", "icon": "briefcase"}, {"label": "School", "icon": "book"},
            ],
        }),
        _screen("question_single_choice", {
            "question": "What is your daily goal?",
            "options": [
                {"label": "5 minutes", "description": "Casual"}, {"label": "10 minutes", "description": "Regular"},
                {"label": "15 minutes", "description": "Serious"}, {"label": "20 minutes", "description": "Intense"},
            ],
        }),
        _screen("permissions", {
            "title": "I will remind you to practise", "illustration": "notifications",
            "permission": "notifications", "primary_button": "Remind me", "secondary_button": "Not now",
        }, layout="centered"),
    ]),
    ("breath", _BREATH, [
        _screen("welcome", {"title": "Take a deep breath", "illustration": "night"}, layout="cover"),
        _screen("question_multiple_choice", {
            "question": "What brings you here?", "hint": "We begin with what matters most.",
            "options": [
                {"label": "Sleep better", "icon": "moon"}, {"label": "Less worry", "icon": "leaf"},
                {"label": "Focus", "icon": "target"}, {"label": "Be kinder to myself", "icon": "heart"},
            ],
            "columns": 2,
        }),
        _screen("social_proof", {
            "title": "Others sleep again", "rating": "4.8",
            "quotes": [{"text": "The first quiet evening for years.", "name": "Ida", "stars": 5}],
        }),
        _screen("paywall", {
            "layout": "timeline", "title": "Seven nights as a gift",
            "timeline": [
                {"icon": "lock", "label": "Today", "text": "All stories and sessions"},
                {"icon": "bell", "label": "Day 5", "text": "We remind you"},
                {"icon": "star", "label": "Day 7", "text": "The year begins, unless you cancel"},
            ],
            "products": [{"product_id": "y", "label": "A year", "price_text": "$49.99", "trial_text": "7 days free"}],
            "primary_button": "Begin the free week", "restore_link": True,
        }),
    ]),
    ("miles", _MILES, [
        _screen("welcome", {
            "title": "Every mile counts", "subtitle": "Record, compare, and meet the people of your roads.",
            "illustration": "track", "primary_button": "Join for free", "secondary_button": "Log in",
        }, layout="cover"),
        _screen("question_multiple_choice", {
            "question": "Which sports do you do?",
            "options": [
                {"label": "Running", "icon": "run"}, {"label": "Cycling", "icon": "bike"},
                {"label": "Strength", "icon": "dumbbell"}, {"label": "Swimming", "icon": "water"},
            ],
        }),
        _screen("question_picker", {
            "question": "How far do you run in a week?", "picker": "number", "min_value": 5, "max_value": 80,
            "default_value": 20, "unit": "km",
        }),
        _screen("comparison", {
            "title": "See more of each run",
            "columns": [
                {"title": "Free", "points": ["Record runs", "Share them"]},
                {"title": "Plus", "points": ["Routes near you", "Splits and zones", "Plans"]},
            ],
        }),
    ]),
)  # fmt: skip


def main() -> None:
    """Draw the rows below each other."""
    with running_page_server() as pages, running_browser() as browser:
        rows = [
            draw(Picture(name, screens, "phone", 180, len(screens), theme=theme), pages, browser)
            for name, theme, screens in _ROWS
        ]
    sheet = Image.new("RGB", (rows[0].width, sum(row.height for row in rows)))
    for index, row in enumerate(rows):
        sheet.paste(row, (0, index * row.height))
    sheet.save(FIGURES / "hosted-pages-walk.webp", quality=78, method=6)


if __name__ == "__main__":
    main()
