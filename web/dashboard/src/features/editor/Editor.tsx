import { SegmentedControl, Text } from "@mantine/core";
import { useDisclosure, useHotkeys, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { useProjectId } from "@/features/projects/queries";
import { ALL_THEMES, themesQuery } from "@/features/themes/queries";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback";
import { Time } from "@/ui/format";
import { lazyDialog } from "@/ui/lazyDialog";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { PageHeader } from "@/ui/PageHeader";
import {
  copyOfScreen,
  FLOW,
  type FlowDocument,
  insertScreen,
  moveScreen,
  removeScreen,
  screenFrom,
  screenName,
} from "./document";
import classes from "./Editor.module.css";
import { EditorActions } from "./EditorActions";
import { Phone } from "./Phone";
import { Properties } from "./Properties";
import { errorsByField } from "./problems";
import { type EditedFlow, problemsQuery, scheduledPublicationQuery } from "./queries";
import { ScreenList } from "./ScreenList";
import { useDraft } from "./useDraft";

const AddScreen = lazyDialog(async () => (await import("./AddScreen")).AddScreen);
const Conflict = lazyDialog(async () => (await import("./Conflict")).Conflict);
const PreviewLink = lazyDialog(async () => (await import("./PreviewLink")).PreviewLink);
const Publish = lazyDialog(async () => (await import("./Publish")).Publish);

const words = texts.editor;
/** Below this width the three parts are tabs. */
const NARROW = "(max-width: 62em)";
type Part = "screens" | "preview" | "properties";
const PARTS = (Object.keys(words.parts) as Part[]).map((value) => ({ value, label: words.parts[value] }));

interface EditorProps {
  edited: EditedFlow;
  projectName: string;
  canEdit: boolean;
  /** Load the flow again and start with an empty history. */
  onRestart: () => void;
}

/**
 * The editor of a flow: screens at the left, the page in the middle, the form at the right. It saves the draft itself.
 */
export function Editor({ edited, projectName, canEdit, onRestart }: EditorProps) {
  const projectId = useProjectId();
  const { flow } = edited;
  const { document, change, undo, redo, canUndo, canRedo, saver, state } = useDraft(edited, canEdit);
  const [selected, setSelected] = useState(document.screens[0]?.id ?? FLOW);
  const [part, setPart] = useState<Part>("screens");
  const isNarrow = useMediaQuery(NARROW);
  const [adding, add] = useDisclosure();
  const [linking, link] = useDisclosure();
  const [publishing, publish] = useDisclosure();
  const [dismissedConflict, setDismissedConflict] = useState<EditedFlow | null>(null);
  const themes = useQuery({ ...themesQuery(projectId, ALL_THEMES), ...OPTIONAL_QUERY }).data?.items ?? [];
  const revision = state.kind === "saved" && saver.hasDraft ? saver.base.etag : null;
  const scheduled = useQuery(scheduledPublicationQuery(flow.id, revision)).data;
  const problems = useQuery({ ...problemsQuery(flow.id, revision), placeholderData: (before) => before });

  const errors = errorsByField(
    problems.data?.errors ?? [],
    state.kind === "failed" ? state.details : [],
    document,
    saver.ids,
  );
  const index = Math.max(
    0,
    document.screens.findIndex(({ id }) => id === selected),
  );
  const theme =
    themes.find(({ id }) => id === document.theme_id) ?? themes.find(({ is_default }) => is_default) ?? null;
  const screens = useRef(document.screens);
  screens.current = document.screens;
  const selectScreen = useCallback((place: number) => {
    const shown = screens.current[place];
    if (shown) {
      setSelected(shown.id);
    }
  }, []);

  async function saveThen(open: () => void) {
    if (!canEdit || (await saver.flush())) {
      open();
    }
  }
  function insert(screen: FlowDocument["screens"][number], behind: string) {
    change(insertScreen(document, screen, behind));
    setSelected(screen.id);
  }
  function remove(screen: FlowDocument["screens"][number]) {
    const left = removeScreen(document, screen.id);
    const place = document.screens.findIndex(({ id }) => id === screen.id);
    change(left);
    // The menu goes with its screen: the keyboard goes on from the next one.
    const next = left.screens[Math.min(place, left.screens.length - 1)]?.id ?? FLOW;
    setTimeout(() => window.document.getElementById(`screen-${next}`)?.focus({ preventScroll: true }));
    if (selected === screen.id) {
      setSelected(left.screens[Math.min(index, left.screens.length - 1)]?.id ?? FLOW);
    }
    toast(words.deleted(screenName(screen)));
  }
  const canPublish = canEdit && (saver.hasDraft || document !== saver.saved);
  const openPublish = () => canPublish && void saveThen(publish.open);
  useHotkeys(
    canEdit
      ? [
          ["mod+Z", undo],
          ["mod+Y", redo],
          ["mod+shift+Z", redo],
          ["mod+S", () => void saver.flush()],
          ["mod+Enter", openPublish],
        ]
      : [],
    [],
    true,
  );

  // The keyboard scrolls a form whose fields are disabled, too.
  const form = canEdit ? {} : { "data-read-only": true, tabIndex: 0 };
  const shows = (name: Part) => !isNarrow || part === name;
  return (
    <>
      <PageHeader
        title={document.name || flow.name}
        text={
          scheduled && (
            <>
              {words.goesLive} <Time value={scheduled.run_at} absolute />
              {words.unlessChanged}
            </>
          )
        }
        actions={
          <EditorActions
            flow={flow}
            canEdit={canEdit}
            state={state}
            undo={canUndo ? undo : null}
            redo={canRedo ? redo : null}
            onPreview={canEdit && flow.status !== "archived" ? () => void saveThen(link.open) : null}
            onPublish={canPublish ? openPublish : null}
            hasDraft={saver.hasDraft}
            onDiscarded={onRestart}
            onRetry={() => void saver.flush()}
            onConflict={() => setDismissedConflict(null)}
          />
        }
      />
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
      <div className={classes.editor}>
        {shows("screens") && (
          <div className={classes.side}>
            <ScreenList
              document={document}
              selected={selected}
              errors={errors}
              disabled={!canEdit}
              onSelect={setSelected}
              onOpen={(id) => {
                setSelected(id);
                setPart("properties");
              }}
              onMove={(id, place) => change(moveScreen(document, id, place))}
              onAdd={add.open}
              onDuplicate={(screen) => insert(copyOfScreen(document, screen), screen.id)}
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
            flow={{ projectId, projectName, flowId: flow.id, document, theme }}
            screenIndex={index}
            onScreen={selectScreen}
          />
        )}
        {shows("properties") && (
          <section className={classes.side} aria-label={words.parts.properties} {...form}>
            <Properties
              key={selected}
              document={document}
              selected={selected}
              themes={themes}
              errors={errors}
              disabled={!canEdit}
              onChange={change}
            />
          </section>
        )}
      </div>
      {adding && (
        <AddScreen
          onClose={add.close}
          onChoose={(template) => {
            insert(screenFrom(template), selected);
            add.close();
          }}
        />
      )}
      {linking && <PreviewLink flowId={flow.id} onClose={link.close} />}
      {publishing && (
        <Publish
          edited={edited}
          document={document}
          onRebase={(liveVersion) => saver.rebase(liveVersion)}
          onPublished={() => {
            publish.close();
            onRestart();
          }}
          onClose={publish.close}
        />
      )}
      {state.kind === "conflict" && state.theirs !== dismissedConflict && (
        <Conflict
          base={saver.saved}
          mine={document}
          theirs={state.theirs}
          onMine={() => void saver.keepMine()}
          onTheirs={() => {
            saver.takeTheirs(state.theirs);
            change(state.theirs.document);
          }}
          onClose={() => setDismissedConflict(state.theirs)}
        />
      )}
    </>
  );
}
