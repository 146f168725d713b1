"""Flows of the tests."""

from typing import Any

from management_api.screens.templates import screen_templates

#: The templates as screens; a browser draws a native screen by its own texts.
TEMPLATES: list[dict[str, Any]] = [
    {
        "type": template.type,
        "name": template.name,
        "content": template.default_content,
        "settings": {"fallback": "screen"} if template.type == "native" else {},
    }
    for template in screen_templates()
]

#: One screen of each type of question, with the answers of the tests.
QUESTIONS: list[dict[str, Any]] = [
    {"type": "welcome", "content": {"title": "Welcome to {{app_name}}", "button_text": "Start"}},
    {"type": "question_text", "content": {"question": "Your name?", "answer_key": "name", "required": True}},
    {"type": "question_single_choice", "content": {"question": "Your goal?", "options": ["Health", "Work"]}},
    {
        "type": "question_multiple_choice",
        "content": {
            "question": "Your interests?",
            "options": [{"value": "a", "label": "Art"}, {"value": "b", "label": "Books"}, "Cooking"],
            "min_selected": 1,
            "max_selected": 2,
        },
    },
    {"type": "question_picker", "content": {"question": "Your height?", "picker": "height", "default_value": 175}},
    {
        "type": "question_picker",
        "content": {"question": "Your birthday?", "picker": "date", "default_value": "1995-06-15"},
    },
    {"type": "question_picker", "content": {"question": "At which time?", "picker": "time", "default_value": "07:30"}},
]

#: One screen of each type.
ALL_TYPES: list[dict[str, Any]] = [
    *QUESTIONS,
    {
        "type": "feature",
        "content": {"title": "What you can do", "items": ["Plan", {"icon": "bell", "title": "Remind"}]},
    },
    {"type": "permissions", "content": {"title": "Stay informed", "permission": "notifications"}},
    {
        "type": "signup",
        "content": {
            "title": "Create an account",
            "fields": [{"name": "email", "label": "Email", "required": True}],
            "providers": ["apple"],
            "legal_text": "The terms of use apply.",
        },
    },
    {"type": "loading", "content": {"title": "One moment", "steps": ["Reading", {"label": "Choosing"}], "seconds": 2}},
    {
        "type": "summary",
        "content": {"title": "Your plan", "rows": [{"icon": "clock", "label": "Time", "text": "10 minutes"}, "Daily"]},
    },
    {
        "type": "social_proof",
        "content": {
            "title": "What others say",
            "rating": 4.8,
            "quotes": [{"text": "It works.", "name": "Mira", "stars": 4, "image": "welcome"}, "Good"],
        },
    },
    {
        "type": "comparison",
        "content": {
            "title": "Two ways",
            "columns": [{"title": "Alone", "points": ["Slow"]}, {"title": "With us", "points": ["Quick", "Sure"]}],
        },
    },
    {
        "type": "consent",
        "content": {
            "title": "Before we begin",
            "text": "You decide.",
            "items": [
                {"name": "terms", "label": "I accept the terms", "required": True, "url": "https://a.example/terms"},
                {"name": "news", "label": "Send me news"},
            ],
        },
    },
    {"type": "custom", "content": {"html": "<h1>Our promise</h1><p><a href='https://a.example'>Read it</a></p>"}},
    {
        "type": "paywall",
        "content": {
            "title": "Try it",
            "benefits": ["All features"],
            "products": [{"product_id": "yearly", "label": "Yearly", "badge": "Best value"}, "Monthly"],
            "close_button": True,
        },
    },
]
