"""The finished responses of a project's choices in one locale; each is made at the first request that needs it."""

import gzip
from collections.abc import Iterator

import msgspec

from common.rules.resolution import Choice, Source, variant_choice
from common.wire.localized_bodies import json_string, localized, page_string
from common.wire.snapshot import FlowTexts, OverridingFlow, Page, Snapshot
from edge_api.api.response import Response, json_response

#: The flow of a page, whether it is a draft, and whether the page is a preview.
PageKey = tuple[str, bool, bool]

#: Of the bodies of one project in other locales than the default. Above it they are dropped, and made again.
MAX_LOCALIZED_BYTES = 4 * 1024 * 1024
_GZIP_LEVEL = 6


class Bodies(msgspec.Struct, gc=False, eq=False, kw_only=True):
    """The responses and the compressed pages in the default locale."""

    snapshot: Snapshot
    pages: dict[PageKey, Page]
    #: Filled at the first use of each choice, by :meth:`response` and :meth:`variant_response`.
    responses: dict[Choice, Response] = msgspec.field(default_factory=dict)
    variant_responses: dict[Choice, tuple[bytes, bytes, bytes]] = msgspec.field(default_factory=dict)

    def response(self, choice: Choice) -> Response:
        """Make and keep the response of a choice that no experiment made."""
        response = json_response(200, self.flow_part(choice), _tail(self.snapshot, choice))
        self.responses[choice] = response
        return response

    def variant_response(self, choice: Choice) -> tuple[bytes, bytes, bytes]:
        """Make and keep the parts of an experiment's response: the device's token goes before the last one."""
        parts = (self.flow_part(choice), *_head_and_tail(self.snapshot, choice))
        self.variant_responses[choice] = parts
        return parts

    def flow_part(self, choice: Choice) -> bytes:
        """Return the flow part of a choice; empty in format 4, whose tails are whole responses."""
        key = (choice.flow_id, choice.is_draft)
        return next((part.body for part in self.snapshot.flow_parts if (part.flow_id, part.is_draft) == key), b"")

    def page(self, key: PageKey) -> Page | None:
        """Return a page."""
        return self.pages.get(key)


class LocalizedBodies(Bodies, gc=False, eq=False, kw_only=True):
    """The responses and the pages in another locale: those of the default locale with other texts."""

    locale: str
    #: By flow id and is_draft.
    texts: dict[tuple[str, bool], FlowTexts]
    #: The pages in the default locale.
    originals: dict[PageKey, Page]
    #: The bytes of the bodies of all locales of the project, in the first item.
    sizes: list[int]

    def flow_part(self, choice: Choice) -> bytes:
        """Return the flow part of a choice in this locale."""
        # The method of a Struct has no `super()` without arguments.
        part = Bodies.flow_part(self, choice)
        texts = self.texts.get((choice.flow_id, choice.is_draft))
        if texts is None:
            return part
        body = localized(part, texts.of_part, texts.of_locale(self.locale), json_string)
        self.sizes[0] += len(body)
        return body

    def page(self, key: PageKey) -> Page | None:
        """Return a page in this locale."""
        original = self.originals.get(key)
        texts = self.texts.get(key[:2])
        if original is None or texts is None:
            return original
        page = self.pages.get(key)
        if page is None:
            places = texts.of_preview if key[2] else texts.of_page
            html = localized(gzip.decompress(original.gzip), places, texts.of_locale(self.locale), page_string)
            page = msgspec.structs.replace(original, gzip=gzip.compress(html, _GZIP_LEVEL, mtime=0))
            self.pages[key] = page
            self.sizes[0] += len(page.gzip)
        return page


def overrides_of(snapshot: Snapshot) -> Iterator[tuple[Choice, OverridingFlow]]:
    """Yield the choices of QA devices, each with its flow."""
    for number, flow in enumerate(snapshot.overrides):
        yield Choice(Source.OVERRIDE, flow.flow_id, is_draft=number < snapshot.draft_overrides), flow


def _tail(snapshot: Snapshot, choice: Choice) -> bytes:
    if choice.source is Source.OVERRIDE:
        return next(flow.tail for override, flow in overrides_of(snapshot) if override == choice)
    flows = (snapshot.default,) if choice.source is Source.DEFAULT else snapshot.targeted
    return next(flow.tail for flow in flows if flow is not None and flow.flow_id == choice.flow_id)


def _head_and_tail(snapshot: Snapshot, choice: Choice) -> tuple[bytes, bytes]:
    return next(
        (variant.head, variant.tail)
        for experiment in snapshot.experiments
        for variant in experiment.variants
        if variant_choice(variant.flow_id, experiment.experiment_id, variant.key, experiment.salt_version) == choice
    )
