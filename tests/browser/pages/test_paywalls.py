"""Paywalls: layouts, the label of the button by product, the late cross, and quiet links."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages.bridge import listen, messages_until_close
from tests.browser.pages.page_server import PageServer, flow_page
from tests.support.browser import OBSERVE_SHIFTS, axe_violations_in_both_schemes, in_sight, watch

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

#: A phone, a small one, a phone on its side, a tablet.
_DEVICES = [(390, 844, "en"), (320, 568, "ar"), (844, 390, "ar"), (768, 1024, "en")]
#: Returns the number of lines of an element's text.
_LINES = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getClientRects().length;
}"""


def _paywall(**content: object) -> dict[str, Any]:
    return {"type": "paywall", "content": {"title": "Choose", "products": _PRODUCTS, **content}}


@pytest.mark.parametrize("layout", ["list", "cards", "timeline", "comparison"])
def test_products_and_button_are_in_sight_on_each_device(browser: Browser, pages: PageServer, layout: str) -> None:
    offer = _paywall(
        layout=layout,
        timeline=[{"icon": "lock", "label": "Today", "text": "You pay nothing."}, {"label": "Day 7"}],
        columns=[{"title": "Free", "points": ["One plan"]}, {"title": "Plus", "points": ["All plans"]}],
        restore_link=True,
        terms_url="https://a.example/terms",
    )
    pages.html = flow_page([{"type": "welcome"}, offer])
    for width, height, locale in _DEVICES:
        # The transition is shown: a layout that is only right after it would shift.
        with browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="no-preference"
        ) as context:
            context.add_init_script(OBSERVE_SHIFTS)
            page = context.new_page()
            problems = watch(page)
            page.goto(pages.url(query=f"&locale={locale}"))
            page.locator(".frame:not([data-settling]) .footer .primary").click()
            page.locator(".frame:not([data-settling]) .price").first.wait_for()
            assert page.locator("ol.timeline").count() == (layout == "timeline")
            assert page.locator(".versus").count() == (layout == "comparison")
            for selector in ("#heading", ".card.priced", ".footer .primary"):
                assert in_sight(page, selector), (width, height, selector)
            assert page.evaluate("document.documentElement.scrollWidth") == width
            # No label and no amount breaks.
            for text in page.locator(".card-label, .amount").all():
                assert text.evaluate(_LINES) == 1
            assert page.evaluate("window.shifts") == []
            # Wider devices have the same texts in the same colours.
            assert width > 400 or axe_violations_in_both_schemes(page) == []
            assert problems == []


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
