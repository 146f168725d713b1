// Generated from cli/demo/personalised_plan.py by `make generate`; do not edit.

import type { StarterFlow } from "./starters";

export const PERSONALISED_PLAN: StarterFlow = {
  "name": "Personalised plan",
  "description": "Questions that depend on a goal, and a plan that is made from the answers",
  "variables": [
    {
      "name": "weeks",
      "formula": "if(answers.goal == \"lose\", max(4, ceil((answers.weight - answers.target) * 2)), 8)"
    },
    {
      "name": "ready",
      "formula": "date_add(today(), variables.weeks, \"week\")"
    },
    {
      "name": "days",
      "formula": "coalesce(answers.days, 7)"
    },
    {
      "name": "minutes",
      "formula": "variables.weeks * variables.days * 30"
    },
    {
      "name": "headline",
      "formula": "lookup(answers.goal, \"lose\", \"a lighter you\", \"move\", \"a stronger you\", \"a rested you\")"
    }
  ],
  "screens": [
    {
      "key": "hello",
      "type": "welcome",
      "name": "Hello",
      "content": {
        "title": "Your plan in one minute",
        "subtitle": "A few questions, and {{app_name}} has a plan that fits you.",
        "illustration": "welcome",
        "primary_button": {
          "label": "Make my plan",
          "action": "next"
        }
      },
      "settings": {
        "counts": false
      }
    },
    {
      "key": "goal",
      "type": "question_single_choice",
      "name": "Goal",
      "content": {
        "question": "What is your goal?",
        "answer_key": "goal",
        "options": [
          {
            "value": "lose",
            "label": "Lose weight"
          },
          {
            "value": "move",
            "label": "Move more"
          },
          {
            "value": "sleep",
            "label": "Sleep better"
          }
        ]
      },
      "next": [
        {
          "id": "sleep",
          "when": [
            {
              "attribute": "answers.goal",
              "operator": "eq",
              "value": "sleep"
            }
          ],
          "go_to": "bedtime"
        }
      ]
    },
    {
      "key": "weight",
      "type": "question_picker",
      "name": "Weight",
      "content": {
        "question": "How much do you weigh?",
        "answer_key": "weight",
        "picker": "weight",
        "default_value": 80
      },
      "show_if": [
        {
          "attribute": "answers.goal",
          "operator": "eq",
          "value": "lose"
        }
      ]
    },
    {
      "key": "target",
      "type": "question_picker",
      "name": "Target weight",
      "content": {
        "question": "Which weight do you want to reach?",
        "hint": "Today you weigh {{answers.weight}} kg.",
        "answer_key": "target",
        "picker": "weight",
        "default_value": 75
      },
      "show_if": [
        {
          "attribute": "answers.goal",
          "operator": "eq",
          "value": "lose"
        }
      ]
    },
    {
      "key": "days",
      "type": "question_picker",
      "name": "Days",
      "content": {
        "question": "On how many days a week do you have half an hour?",
        "answer_key": "days",
        "picker": "number",
        "min_value": 1,
        "max_value": 7,
        "default_value": 3
      },
      "next": [
        {
          "id": "plan",
          "when": [],
          "go_to": "plan"
        }
      ]
    },
    {
      "key": "bedtime",
      "type": "question_picker",
      "name": "Bedtime",
      "content": {
        "question": "When do you want to fall asleep?",
        "answer_key": "bedtime",
        "picker": "time",
        "default_value": "22:30"
      }
    },
    {
      "key": "plan",
      "type": "feature",
      "name": "Plan",
      "content": {
        "title": "Your plan for {{variables.headline}}",
        "description": "Goal: {{answers.goal}}",
        "illustration": "plan",
        "items": [
          {
            "icon": "calendar",
            "title": "Ready on {{variables.ready}}",
            "description": "{{variables.weeks}} weeks"
          },
          {
            "icon": "clock",
            "title": "{{variables.minutes:number}} minutes in all",
            "description": "Half an hour on {{variables.days}} days a week"
          }
        ],
        "primary_button": {
          "label": "Start my plan",
          "action": "next"
        }
      }
    },
    {
      "key": "reminders",
      "type": "permissions",
      "name": "Reminders",
      "content": {
        "title": "Shall we remind you?",
        "description": "One message on each day of your plan.",
        "permission": "notifications",
        "icon": "bell",
        "primary_button": {
          "label": "Remind me",
          "action": "request_permission"
        },
        "secondary_button": {
          "label": "Not now",
          "action": "next"
        }
      },
      "settings": {
        "skippable": true
      }
    }
  ]
};
