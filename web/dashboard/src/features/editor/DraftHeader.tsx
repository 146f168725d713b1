import { Button, Menu, Text, Tooltip } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconArrowBackUp, IconArrowForwardUp, IconFlask, IconQrcode, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { editorTexts } from "@/features/editor/texts";
import { FlowState } from "@/features/flows/FlowState";
import { flowTexts } from "@/features/flows/texts";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { PageHeader } from "@/ui/PageHeader";
import { RowMenu } from "@/ui/table/RowMenu";
import { focusContent, outsideOfDialogs, SaveStatus, saveThen, Tool } from "./draft/DraftTools";
import type { FlowDraftStore } from "./draft/draftStore";
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
  store: FlowDraftStore;
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
  const undo = () => edit(() => store.undo());
  const redo = () => edit(() => store.redo());
  const canPublish = hasDraft || store.isDirty;
  const openPublish = () => canPublish && void saveThen(store, publish.open);
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
          onClick={() => void saveThen(store, link.open)}
        >
          {words.link.open}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFlask size={18} />}
          disabled={flow.status === "archived"}
          onClick={() => void saveThen(store, test.open)}
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
