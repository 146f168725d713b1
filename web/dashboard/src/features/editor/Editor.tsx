import { Box, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useProjectId } from "@/api/projects";
import { ALL_THEMES, themesQuery } from "@/api/themes";
import { funnelQuery } from "@/features/analytics/queries";
import { editorTexts } from "@/features/editor/texts";
import { toast } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { DraftHeader } from "./DraftHeader";
import {
  type Change,
  copyOfScreen,
  FLOW,
  type FlowDocument,
  insertScreen,
  memberShowing,
  moveScreen,
  removeScreen,
  screenFrom,
  screenName,
} from "./document";
import type { FlowDraftStore } from "./draft/draftStore";
import { useDraft } from "./draft/useDraft";
import classes from "./Editor.module.css";
import { Properties } from "./form/Properties";
import { errorsByField } from "./form/problems";
import { LanguageSwitch } from "./languages/LanguageSwitch";
import { useTranslating } from "./languages/useTranslating";
import { logicTexts } from "./logic/texts";
import { useInTheWay } from "./logic/useInTheWay";
import { graphOf } from "./map/graph";
import { MapList } from "./map/MapList";
import { useFlowUsers } from "./map/useFlowUsers";
import { playerTexts } from "./player/texts";
import { usePlay } from "./player/usePlay";
import { Phone } from "./preview/Phone";
import { usePreviewed } from "./preview/usePreviewed";
import { useScheduledPublication } from "./publish/useScheduledPublication";
import { problemsQuery } from "./queries";
import { ScreenList } from "./ScreenList";

const AddScreen = lazyDialog(async () => (await import("./AddScreen")).AddScreen);

const FlowMap = lazy(async () => ({ default: (await import("./map/FlowMap")).FlowMap }));

const TranslationForm = lazy(async () => ({ default: (await import("./languages/TranslationForm")).TranslationForm }));

const Player = lazy(async () => ({ default: (await import("./player/Player")).Player }));

const route = getRouteApi("/projects/$projectId/flows/$flowId/");
const words = editorTexts;
const { map: mapWords } = logicTexts;
/** Below this width the three parts are tabs. */
const NARROW = "(max-width: 62em)";
type Part = "screens" | "preview" | "properties" | "map";
const PARTS = (Object.keys(words.parts) as Part[]).map((value) => ({ value, label: words.parts[value] }));
const VIEWS = [
  { value: "screens", label: mapWords.screens },
  { value: "map", label: mapWords.map },
];

const SIDES = [
  { value: "properties", label: playerTexts.properties },
  { value: "player", label: playerTexts.title },
];

const NO_USERS = new Map();

interface EditorProps {
  store: FlowDraftStore;
  projectName: string;
  canEdit: boolean;
}

/**
 * The editor of a flow: screens at the left, the page in the middle, the form at the right. It saves the draft itself.
 */
export function Editor({ store, projectName, canEdit }: EditorProps) {
  const projectId = useProjectId();
  const { document, state, stored } = useDraft(store);
  const { flow } = stored;
  const [selected, setSelected] = useSelected(document);
  const { locale: wanted = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const translating = useTranslating(store, wanted);
  const { locale, locales, shown } = translating;
  const isLocked = !canEdit || locale !== null;
  const [part, setPart] = useState<Part>("screens");
  const [isMap, setMap] = useState(false);
  const [isPlayer, setPlayer] = useState(false);
  const isNarrow = useMediaQuery(NARROW);
  const [adding, add] = useDisclosure();
  const themes = useQuery({ ...themesQuery(projectId, ALL_THEMES), ...OPTIONAL_QUERY }).data?.items ?? [];
  const funnel = useQuery({
    ...funnelQuery(flow.id, {}),
    enabled: flow.stats.total_views > 0,
    select: ({ screens }) => new Map(screens.map((screen) => [screen.screen_id, screen])),
    ...OPTIONAL_QUERY,
  });
  const publication = useScheduledPublication(store);
  const revision = state.kind === "saved" ? stored.etag : null;
  const problems = useQuery({ ...problemsQuery(flow.id, revision), placeholderData: (before) => before });

  const rejected = state.kind === "failed" ? state : { details: [], document };
  const errors = errorsByField(problems.data?.errors ?? [], rejected.details, rejected.document);
  const warnings = errorsByField(problems.data?.warnings ?? [], [], document);
  // biome-ignore lint/correctness/useExhaustiveDependencies: errors and warnings are made anew for each of these
  const graph = useMemo(() => graphOf(document, errors, warnings), [document, problems.data, state]);
  const change: Change = (changed, field) => publication.edit(() => store.change(changed, field));
  const inTheWay = useInTheWay(document, change);
  const index = Math.max(
    0,
    document.screens.findIndex(({ id }) => id === selected),
  );
  const previewed = usePreviewed(flow.id, document.theme_id);
  const inLanguage = { ...previewed, ...(locale && { locale }) };
  const users = useFlowUsers(flow.id, graph);
  const present = useRef({ screens: shown.screens, index });
  present.current = { screens: shown.screens, index };
  const selectScreen = useCallback(
    (screenId: string) => {
      if (present.current.screens.some(({ id }) => id === screenId)) {
        setSelected(screenId);
      }
    },
    [setSelected],
  );
  const screenId = document.screens[index]?.id ?? "";
  const play = usePlay({ ...previewed, document: shown }, screenId, selectScreen);
  const openText = useCallback(
    (text: string) => {
      const { screens, index } = present.current;
      const member = memberShowing(screens[index]?.content, text, projectName);
      if (member !== undefined) {
        setSelected((selected) => screens[index]?.id ?? selected);
        setTimeout(() => focusField(member));
      }
    },
    [projectName, setSelected],
  );

  function insert(screen: FlowDocument["screens"][number], behind: string) {
    change(insertScreen(document, screen, behind));
    setSelected(screen.id);
  }
  function remove(screen: FlowDocument["screens"][number]) {
    const left = removeScreen(document, screen.id);
    const place = document.screens.findIndex(({ id }) => id === screen.id);
    inTheWay.attempt("remove", screen, left, () => {
      // The menu goes with its screen: the keyboard goes on from the next one.
      const next = left.screens[Math.min(place, left.screens.length - 1)]?.id ?? FLOW;
      setTimeout(() => window.document.getElementById(`screen-${next}`)?.focus({ preventScroll: true }));
      if (selected === screen.id) {
        setSelected(left.screens[Math.min(index, left.screens.length - 1)]?.id ?? FLOW);
      }
      toast(words.deleted(screenName(screen)));
    });
  }

  function move(id: string, place: number) {
    const screen = document.screens.find((one) => one.id === id);
    if (screen) {
      inTheWay.attempt("move", screen, moveScreen(document, id, place));
    }
  }

  function open(id: string) {
    setSelected(id);
    setPart("properties");
  }

  // The keyboard scrolls a form whose fields are disabled, too.
  const form = canEdit ? {} : { "data-read-only": true, tabIndex: 0 };
  const shows = (name: Part) => (isNarrow ? part === name : name === "properties" || (name === "map" ? isMap : !isMap));
  const player = (
    <Suspense fallback={<Skeleton height={240} />}>
      <Player document={shown} play={play} users={users} />
    </Suspense>
  );
  const choice = !isNarrow && (
    <SegmentedControl
      size="xs"
      mb="xs"
      aria-label={mapWords.view}
      data={VIEWS}
      value={isMap ? "map" : "screens"}
      onChange={(value) => setMap(value === "map")}
    />
  );
  return (
    <>
      <DraftHeader store={store} canEdit={canEdit} publication={publication} title={document.name || flow.name} />
      {locales.length > 1 && (
        <LanguageSwitch
          translating={translating}
          onChange={(next) => {
            // The texts that can be translated are those of the service.
            void store.flush();
            const search = { locale: next === locales[0] ? undefined : next };
            void navigate({ search: (before) => ({ ...before, ...search }), replace: true, resetScroll: false });
          }}
        />
      )}
      {isNarrow && (
        <SegmentedControl
          fullWidth
          mb="md"
          aria-label={words.part}
          data={PARTS}
          value={part}
          onChange={(value) => setPart(value as Part)}
        />
      )}
      <div className={classes.editor} data-map={isMap || undefined}>
        {shows("map") &&
          (isNarrow ? (
            <>
              {users.choice}
              <MapList graph={users.graph} selected={selected} onOpen={open} />
            </>
          ) : (
            <Suspense fallback={<Skeleton height="100%" />}>
              <FlowMap
                graph={users.graph}
                selected={selected}
                onMove={isLocked ? null : move}
                onSelect={setSelected}
                aside={users.choice}
              >
                {choice}
              </FlowMap>
            </Suspense>
          ))}
        {shows("screens") && (
          <div className={classes.side}>
            {choice}
            <ScreenList
              document={shown}
              previewed={inLanguage}
              reached={funnel.data ?? NO_USERS}
              selected={selected}
              errors={errors}
              disabled={isLocked}
              onSelect={setSelected}
              onOpen={open}
              onMove={move}
              onAdd={add.open}
              onDuplicate={(screen) => insert(copyOfScreen(document, screen, locales), screen.id)}
              onDelete={remove}
            />
            {document.screens.length === 0 && (
              <Text size="sm" c="dimmed" mt="md">
                {words.empty}
              </Text>
            )}
          </div>
        )}
        {shows("preview") && (
          <Phone
            flow={{ ...inLanguage, document: shown }}
            screenId={screenId}
            walk={play}
            onScreen={selectScreen}
            onState={play.take}
            // Beside the player, and on a phone, a click is an answer.
            {...(!isPlayer && !isNarrow && { onText: openText })}
            onRestart={play.restart}
          />
        )}
        {isNarrow && part === "preview" && <Box mt="md">{player}</Box>}
        {shows("properties") && (
          <section className={classes.side} aria-label={words.parts.properties} {...form}>
            {!isNarrow && (
              <SegmentedControl
                size="xs"
                mb="md"
                aria-label={playerTexts.view}
                data={SIDES}
                value={isPlayer ? "player" : "properties"}
                onChange={(value) => setPlayer(value === "player")}
              />
            )}
            {isPlayer && !isNarrow ? (
              player
            ) : locale !== null ? (
              <Suspense fallback={<Skeleton height={240} />}>
                <TranslationForm
                  document={document}
                  selected={selected}
                  locale={locale}
                  translating={translating}
                  errors={errors}
                  disabled={!canEdit}
                  onChange={change}
                />
              </Suspense>
            ) : (
              <Properties
                key={selected}
                document={document}
                selected={selected}
                themes={themes}
                errors={errors}
                warnings={warnings}
                values={play.values}
                disabled={!canEdit}
                onChange={change}
              />
            )}
          </section>
        )}
      </div>
      {inTheWay.question}
      {adding && (
        <AddScreen
          previewed={previewed}
          onClose={add.close}
          onChoose={(template) => {
            insert(screenFrom(template), selected);
            add.close();
          }}
        />
      )}
    </>
  );
}

/** Return the selected screen or flow, which the address names: a reload and a shared link show the same one. */
function useSelected(document: FlowDocument) {
  const { screen = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const isPresent = screen === FLOW || document.screens.some(({ id }) => id === screen);
  const state = useState(isPresent ? screen : (document.screens[0]?.id ?? FLOW));
  const [selected] = state;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      void navigate({ search: (before) => ({ ...before, screen: selected }), replace: true, resetScroll: false });
    }
    isFirst.current = false;
  }, [selected, navigate]);
  return state;
}

/** Focus the field of a member of the content, or the first field of its entry. */
function focusField(member: string) {
  const field = (selector: string) => window.document.querySelector<HTMLElement>(selector);
  const entry = member.replace(/[^.]*$/, "");
  (field(`[data-member="${member}"]`) ?? (entry ? field(`[data-member^="${entry}"]`) : null))?.focus();
}
