"""Paywalls: layouts, the label of the button by product, the late cross, and quiet links."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages.bridge import listen, messages_until_close
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import axe_violations

_PRODUCTS = [
    {"product_id": "monthly", "label": "Monthly", "price_text": "$7.99", "period_text": "a month"},
    {
        "product_id": "yearly",
        "label": "Yearly",
        "price_text": "$47.99",
        "per_month_text": "$4.00 a month",
        "trial_text": "7 days free",
        "badge": "Half price",
        "is_preselected": True,
    },
]


def _paywall(**content: object) -> dict[str, Any]:
    return {"type": "paywall", "content": {"title": "Choose", "products": _PRODUCTS, **content}}


@pytest.mark.parametrize("layout", ["list", "cards", "timeline", "comparison"])
def test_layouts_fit_small_phones_and_pass_axe(page: Page, pages: PageServer, layout: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    pages.html = flow_page(
        [
            _paywall(
                layout=layout,
                timeline=[{"icon": "lock", "label": "Today", "text": "You pay nothing."}, {"label": "Day 7"}],
                columns=[{"title": "Free", "points": ["One plan"]}, {"title": "Plus", "points": ["All plans"]}],
                restore_link=True,
                terms_url="https://a.example/terms",
            )
        ]
    )
    page.goto(pages.url())
    expect(page.locator(".price")).to_have_count(2)
    assert page.locator("ol.timeline").count() == (layout == "timeline")
    assert page.locator(".versus").count() == (layout == "comparison")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    # No text breaks in its words, and none is cut.
    for label in page.locator(".card-label").all():
        assert label.evaluate("label => label.getClientRects().length") == 1
    assert axe_violations(page) == []


def test_button_follows_the_product_and_the_cross_comes_late(page: Page, pages: PageServer) -> None:
    content = {
        "layout": "cards",
        "cta_by_product": {"monthly": "Start monthly"},
        "restore_link": True,
        "privacy_url": "http://a.example/not-shown",
        "close_button": True,
        "close_delay_seconds": 2,
        "primary_button": {"label": "Continue", "action": "purchase"},
    }
    pages.html = flow_page([_paywall(**content)])
    listen(page, "flutter")
    page.clock.install()
    page.goto(pages.url())
    primary = page.locator(".footer .primary")
    cross = page.get_by_role("button", name="Close")
    expect(primary).to_have_text("Continue")
    expect(cross).to_have_count(0)
    page.clock.run_for(2_000)
    expect(cross).to_be_visible()
    page.locator(".card").first.click()
    expect(primary).to_have_text("Start monthly")
    expect(page.get_by_role("link")).to_have_count(0)
    page.get_by_role("button", name="Restore purchases").click()
    page.clock.run_for(2_000)
    cross.click()
    texts = [text for _, text in messages_until_close(page)]
    assert "restore_purchases" in texts
