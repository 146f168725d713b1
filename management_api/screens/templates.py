"""The built-in screen templates: at least one for every type of screen (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from common.wire.public_responses import ScreenType


class TemplateCategory(StrEnum):
    """The purpose of a template."""

    ONBOARDING = "onboarding"
    PERMISSIONS = "permissions"
    ACCOUNT = "account"


@dataclass(frozen=True, slots=True)
class ScreenTemplate:
    """A starting point: its content is copied into a screen and edited there. The id never changes."""

    id: str
    type: ScreenType
    name: str
    category: TemplateCategory
    default_content: dict[str, Any]


def matching_templates(
    catalogue: Sequence[ScreenTemplate], kind: ScreenType | None, category: TemplateCategory | None
) -> Sequence[ScreenTemplate]:
    """Return the templates of a type and of a category; None leaves a filter out."""
    return [
        template
        for template in catalogue
        if (kind is None or template.type is kind) and (category is None or template.category is category)
    ]


SCREEN_TEMPLATES: tuple[ScreenTemplate, ...] = (
    ScreenTemplate(
        "welcome_greeting",
        ScreenType.WELCOME,
        "Welcome",
        TemplateCategory.ONBOARDING,
        {
            "title": "Welcome!",
            "subtitle": "Good to have you here. Setting up takes less than a minute.",
            "image_url": None,
            "illustration": "welcome",
            "primary_button": {"label": "Get started", "action": "next"},
            "secondary_button": {"label": "I already have an account", "action": "sign_in"},
        },
    ),
    ScreenTemplate(
        "feature_highlight",
        ScreenType.FEATURE,
        "Feature highlight",
        TemplateCategory.ONBOARDING,
        {
            "title": "Everything in one place",
            "description": "See what matters today the moment you open the app.",
            "image_url": None,
            "illustration": "overview",
            "image_position": "top",
            "primary_button": {"label": "Continue", "action": "next"},
        },
    ),
    ScreenTemplate(
        "feature_list",
        ScreenType.FEATURE,
        "Feature list",
        TemplateCategory.ONBOARDING,
        {
            "title": "What you can do",
            "items": [
                {"icon": "bolt", "title": "Start quickly", "description": "No set-up before your first result."},
                {"icon": "bell", "title": "Stay on track", "description": "Reminders only when they help."},
                {"icon": "lock", "title": "Keep control", "description": "Your data stays yours."},
            ],
            "primary_button": {"label": "Continue", "action": "next"},
        },
    ),
    ScreenTemplate(
        "permissions_notifications",
        ScreenType.PERMISSIONS,
        "Notifications",
        TemplateCategory.PERMISSIONS,
        {
            "title": "Never miss an update",
            "description": "We tell you about what you follow, and about nothing else.",
            "permission": "notifications",
            "icon": "bell",
            "primary_button": {"label": "Allow notifications", "action": "request_permission"},
            "secondary_button": {"label": "Not now", "action": "next"},
        },
    ),
    ScreenTemplate(
        "permissions_location",
        ScreenType.PERMISSIONS,
        "Location",
        TemplateCategory.PERMISSIONS,
        {
            "title": "Find what is near you",
            "description": "Your location is used while the app is open, to show places around you.",
            "permission": "location",
            "icon": "map_pin",
            "primary_button": {"label": "Allow location", "action": "request_permission"},
            "secondary_button": {"label": "Not now", "action": "next"},
        },
    ),
    ScreenTemplate(
        "permissions_camera",
        ScreenType.PERMISSIONS,
        "Camera",
        TemplateCategory.PERMISSIONS,
        {
            "title": "Scan instead of typing",
            "description": "The camera reads codes and documents. Pictures never leave your device.",
            "permission": "camera",
            "icon": "camera",
            "primary_button": {"label": "Allow camera", "action": "request_permission"},
            "secondary_button": {"label": "Not now", "action": "next"},
        },
    ),
    ScreenTemplate(
        "permissions_tracking",
        ScreenType.PERMISSIONS,
        "App tracking",
        TemplateCategory.PERMISSIONS,
        {
            "title": "Help us improve",
            "description": "With your permission we measure which of our campaigns are worth their money.",
            "permission": "tracking",
            "icon": "chart",
            "primary_button": {"label": "Continue", "action": "request_permission"},
        },
    ),
    ScreenTemplate(
        "signup_email",
        ScreenType.SIGNUP,
        "Sign up by email",
        TemplateCategory.ACCOUNT,
        {
            "title": "Create your account",
            "subtitle": "So that nothing is lost when you change your phone.",
            "fields": [
                {"name": "email", "type": "email", "label": "Email", "required": True},
                {"name": "password", "type": "password", "label": "Password", "required": True, "min_length": 8},
            ],
            "legal_text": "By creating an account you accept the terms of use and the privacy policy.",
            "primary_button": {"label": "Create account", "action": "submit"},
            "secondary_button": {"label": "Sign in instead", "action": "sign_in"},
        },
    ),
    ScreenTemplate(
        "signup_social",
        ScreenType.SIGNUP,
        "Sign up with a provider",
        TemplateCategory.ACCOUNT,
        {
            "title": "Join in one step",
            "subtitle": "Use an account that you already have.",
            "providers": ["apple", "google"],
            "primary_button": {"label": "Use email instead", "action": "next"},
            "secondary_button": {"label": "Later", "action": "next"},
        },
    ),
    ScreenTemplate(
        "question_name",
        ScreenType.QUESTION_TEXT,
        "Ask for a name",
        TemplateCategory.ACCOUNT,
        {
            "question": "What should we call you?",
            "answer_key": "name",
            "placeholder": "Your first name",
            "max_length": 50,
            "required": False,
            "primary_button": {"label": "Continue", "action": "submit"},
        },
    ),
    ScreenTemplate(
        "question_goal",
        ScreenType.QUESTION_SINGLE_CHOICE,
        "Ask for a goal",
        TemplateCategory.ONBOARDING,
        {
            "question": "What brings you here?",
            "answer_key": "goal",
            "options": [
                {"value": "learn", "label": "Learn something new"},
                {"value": "organise", "label": "Get organised"},
                {"value": "explore", "label": "Just looking around"},
            ],
            "required": True,
            "primary_button": {"label": "Continue", "action": "submit"},
        },
    ),
    ScreenTemplate(
        "question_interests",
        ScreenType.QUESTION_MULTIPLE_CHOICE,
        "Ask for interests",
        TemplateCategory.ONBOARDING,
        {
            "question": "What are you interested in?",
            "hint": "Choose as many as you like.",
            "answer_key": "interests",
            "options": [
                {"value": "health", "label": "Health"},
                {"value": "work", "label": "Work"},
                {"value": "travel", "label": "Travel"},
                {"value": "music", "label": "Music"},
            ],
            "min_selected": 1,
            "max_selected": None,
            "primary_button": {"label": "Continue", "action": "submit"},
        },
    ),
    ScreenTemplate(
        "question_reminder_time",
        ScreenType.QUESTION_PICKER,
        "Ask for a time",
        TemplateCategory.ONBOARDING,
        {
            "question": "When shall we remind you?",
            "answer_key": "reminder_time",
            "picker": "time",
            "default_value": "09:00",
            "primary_button": {"label": "Set reminder", "action": "submit"},
            "secondary_button": {"label": "No reminders", "action": "next"},
        },
    ),
    ScreenTemplate(
        "question_birth_year",
        ScreenType.QUESTION_PICKER,
        "Ask for a year of birth",
        TemplateCategory.ACCOUNT,
        {
            "question": "In which year were you born?",
            "answer_key": "birth_year",
            "picker": "number",
            "min_value": 1920,
            "max_value": 2020,
            "default_value": 1990,
            "primary_button": {"label": "Continue", "action": "submit"},
        },
    ),
    ScreenTemplate(
        "paywall_trial",
        ScreenType.PAYWALL,
        "Free trial",
        TemplateCategory.ACCOUNT,
        {
            "title": "Try everything for 7 days",
            "benefits": ["All features", "No advertisements", "Cancel at any time"],
            "products": [
                {"product_id": "yearly", "label": "Yearly", "badge": "Best value", "is_preselected": True},
                {"product_id": "monthly", "label": "Monthly", "badge": None, "is_preselected": False},
            ],
            "legal_text": "The subscription renews by itself unless it is cancelled before the trial ends.",
            "primary_button": {"label": "Start free trial", "action": "purchase"},
            "secondary_button": {"label": "Restore purchases", "action": "restore"},
            "close_button": True,
        },
    ),
    ScreenTemplate(
        "loading_plan",
        ScreenType.LOADING,
        "Preparing",
        TemplateCategory.ONBOARDING,
        {
            "title": "Getting things ready for you",
            "steps": [
                {"label": "Reading your answers"},
                {"label": "Choosing what fits"},
                {"label": "Putting your plan together"},
            ],
            "seconds": 6,
        },
    ),
    ScreenTemplate(
        "summary_plan",
        ScreenType.SUMMARY,
        "Your plan",
        TemplateCategory.ONBOARDING,
        {
            "title": "Your plan is ready",
            "subtitle": "Made from your answers. You can change it at any time.",
            "rows": [
                {"icon": "star", "label": "Goal", "text": "Feel better every day"},
                {"icon": "clock", "label": "Time", "text": "10 minutes in the morning"},
                {"icon": "chart", "label": "First results", "text": "In two weeks"},
            ],
            "primary_button": {"label": "Start my plan", "action": "next"},
        },
    ),
    ScreenTemplate(
        "social_proof_quotes",
        ScreenType.SOCIAL_PROOF,
        "What others say",
        TemplateCategory.ONBOARDING,
        {
            "title": "Loved by people like you",
            "rating": 4.8,
            "quotes": [
                {"text": "The first app that I still open after a month.", "name": "Mira", "stars": 5, "image": None},
                {"text": "Clear, quick, and it never nags.", "name": "Jonas", "stars": 5, "image": None},
            ],
            "primary_button": {"label": "Continue", "action": "next"},
        },
    ),
    ScreenTemplate(
        "comparison_two_ways",
        ScreenType.COMPARISON,
        "Comparison",
        TemplateCategory.ONBOARDING,
        {
            "title": "A better way to begin",
            "columns": [
                {"title": "On your own", "points": ["Hours of reading", "Starting over again", "No one to ask"]},
                {"title": "With us", "points": ["One step a day", "A plan that adapts", "Help when you need it"]},
            ],
            "primary_button": {"label": "Continue", "action": "next"},
        },
    ),
    ScreenTemplate(
        "custom_blank",
        ScreenType.CUSTOM,
        "Blank",
        TemplateCategory.ONBOARDING,
        {"component": "my_screen", "properties": {}, "primary_button": {"label": "Continue", "action": "next"}},
    ),
)
