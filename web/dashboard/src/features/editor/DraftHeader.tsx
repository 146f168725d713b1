import { ActionIcon, Button, Group, Menu, Text, Tooltip } from "@mantine/core";
import { type HotkeyItem, useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconArrowBackUp, IconArrowForwardUp, IconFlask, IconQrcode, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { editorTexts } from "@/features/editor/texts";
import { FlowState } from "@/features/flows/FlowState";
import { flowTexts } from "@/features/flows/texts";
import { texts } from "@/texts";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { PageHeader } from "@/ui/PageHeader";
import { RowMenu } from "@/ui/table/RowMenu";
import type { DraftStore } from "./draft/draftStore";
import classes from "./Editor.module.css";
import type { ScheduledPublication } from "./publish/useScheduledPublication";
import { discardDraft, type EditedFlow } from "./queries";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);
const Conflict = lazyDialog(async () => (await import("./draft/Conflict")).Conflict);
const FlowQuestion = lazyDialog(async () => (await import("@/features/flows/FlowQuestion")).FlowQuestion);
const PreviewLink = lazyDialog(async () => (await import("./preview/PreviewLink")).PreviewLink);
const TestChange = lazyDialog(async () => (await import("@/features/experiments/TestChange")).TestChange);
const Publish = lazyDialog(async () => (await import("./publish/Publish")).Publish);

const words = editorTexts;

interface DraftHeaderProps {
  store: DraftStore;
  canEdit: boolean;
  publication: ScheduledPublication;
  title: string;
  /** The name of the flow, if the title is another one. */
  object?: string;
  text?: ReactNode;
}

/** The header of a view of a draft: the state of saving, and the actions, shortcuts and dialogs of the draft. */
export function DraftHeader({ store, canEdit, publication, title, object, text }: DraftHeaderProps) {
  const { state, hasDraft } = store;
  const { flow } = store.stored;
  const { edit, scheduled, others, question } = publication;
  const [linking, link] = useDisclosure();
  const [publishing, publish] = useDisclosure();
  const [testing, test] = useDisclosure();
  const [discarding, discard] = useDisclosure();
  const [activating, activate] = useDisclosure();
  const [dismissed, setDismissed] = useState<EditedFlow | null>(null);
  const saveThen = async (open: () => void) => (await store.flush()) && open();
  const undo = () => edit(() => store.undo());
  const redo = () => edit(() => store.redo());
  const canPublish = hasDraft || store.isDirty;
  const openPublish = () => canPublish && void saveThen(publish.open);
  useHotkeys(
    canEdit
      ? [
          outsideOfDialogs("mod+Z", undo),
          outsideOfDialogs("mod+Y", redo),
          outsideOfDialogs("mod+shift+Z", redo),
          outsideOfDialogs("mod+Enter", openPublish),
          ["mod+S", () => void store.flush()],
        ]
      : [],
    [],
    true,
  );
  const header = { title, object, state: <FlowState flow={flow} schedules={others} />, text: scheduled ?? text };
  if (!canEdit) {
    return <PageHeader {...header} actions={<Text c="dimmed">{words.readOnly}</Text>} />;
  }
  const canActivate = flow.status !== "active" && !canPublish && flow.screens.length > 0;
  const notPublishable = flow.screens.length > 0 ? words.nothingToPublish : words.needsScreen;
  const actions = (
    <>
      <SaveStatus store={store} onConflict={() => setDismissed(null)} />
      <Tool label={words.undo} icon={<IconArrowBackUp size={18} />} isEnabled={store.canUndo} onClick={undo} />
      <Tool label={words.redo} icon={<IconArrowForwardUp size={18} />} isEnabled={store.canRedo} onClick={redo} />
      <RowMenu name={flow.name}>
        <Menu.Item
          leftSection={<IconQrcode size={18} />}
          disabled={flow.status === "archived"}
          onClick={() => void saveThen(link.open)}
        >
          {words.link.open}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFlask size={18} />}
          disabled={flow.status === "archived"}
          onClick={() => void saveThen(test.open)}
        >
          {words.testChange}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={18} />}
          disabled={!hasDraft || state.kind !== "saved"}
          onClick={discard.open}
        >
          {words.discard}
        </Menu.Item>
      </RowMenu>
      {canActivate ? (
        <Button onClick={activate.open}>{flowTexts.activate}</Button>
      ) : (
        <Tooltip label={canPublish ? words.publishShortcut : notPublishable}>
          {/* The tooltip of a disabled button would not open. */}
          <Button data-disabled={!canPublish || undefined} aria-disabled={!canPublish} onClick={openPublish}>
            {words.publish.open}
          </Button>
        </Tooltip>
      )}
    </>
  );
  return (
    <>
      <PageHeader {...header} actions={actions} />
      {linking && <PreviewLink flowId={flow.id} hasDraft={hasDraft} onClose={link.close} />}
      {testing && <TestChange flow={flow} onClose={test.close} />}
      {publishing && (
        <Publish
          store={store}
          onPublished={() => {
            publish.close();
            focusContent();
          }}
          onClose={publish.close}
        />
      )}
      {discarding && (
        <Confirm
          title={words.discardTitle}
          text={words.discardText}
          phrase={flow.name}
          action={words.discard}
          onClose={discard.close}
          onConfirm={async () => {
            await discardDraft(flow.id);
            await store.restart();
            focusContent();
          }}
        />
      )}
      {activating && <FlowQuestion flow={flow} act="activate" onClose={activate.close} />}
      {question}
      {state.kind === "conflict" && state.theirs !== dismissed && (
        <Conflict store={store} theirs={state.theirs} onClose={() => setDismissed(state.theirs)} />
      )}
    </>
  );
}

interface ToolProps {
  label: string;
  icon: ReactNode;
  isEnabled: boolean;
  onClick: () => void;
}

function Tool({ label, icon, isEnabled, onClick }: ToolProps) {
  const look = { variant: "subtle", color: "gray", className: classes.tool };
  return (
    <Tooltip label={label}>
      <ActionIcon {...look} aria-label={label} disabled={!isEnabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** A save that takes longer is said: the service may be down. */
const SLOW_MILLISECONDS = 4_000;
const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23" });

/** Return the state of saving in words. */
function saveStateInWords({ state, hasDraft }: DraftStore): string {
  switch (state.kind) {
    case "saved": {
      const { unpublished, unchanged, saved } = words.save;
      return hasDraft ? (state.at === null ? unpublished : saved(clock.format(state.at))) : unchanged;
    }
    case "waiting":
      return words.save.waiting(state.changes);
    default:
      return words.save[state.kind];
  }
}

function SaveStatus({ store, onConflict }: { store: DraftStore; onConflict: () => void }) {
  const { kind } = store.state;
  const isFine = kind === "saved" || kind === "saving";
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = kind === "saving" ? setTimeout(() => setSlow(true), SLOW_MILLISECONDS) : undefined;
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [kind]);
  return (
    <Group gap={4} wrap="nowrap">
      {/* Failures are announced; saving is not, at each pause of the typing. */}
      <Text
        size="sm"
        c={kind === "failed" ? "var(--mantine-color-error)" : "dimmed"}
        role="status"
        aria-live={isFine ? "off" : "polite"}
      >
        {isSlow ? words.save.slow : saveStateInWords(store)}
      </Text>
      {kind === "failed" && (
        <Button size="compact-sm" variant="subtle" onClick={() => void store.flush()}>
          {texts.ui.retry}
        </Button>
      )}
      {kind === "conflict" && (
        <Button size="compact-sm" variant="subtle" onClick={onConflict}>
          {words.compare}
        </Button>
      )}
    </Group>
  );
}

/** Return a hotkey that leaves its keys to an open dialog. */
function outsideOfDialogs(keys: string, act: () => void): HotkeyItem {
  const press = (event: KeyboardEvent) => {
    if (document.querySelector("[role=dialog]") === null) {
      event.preventDefault();
      act();
    }
  };
  return [keys, press, { preventDefault: false }];
}

/** The button that was used is gone: the keyboard goes on from the beginning of the view. */
function focusContent(): void {
  document.getElementById("content")?.focus({ preventScroll: true });
}
