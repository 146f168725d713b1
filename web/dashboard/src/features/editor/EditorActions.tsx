import { ActionIcon, Button, Group, Menu, Text, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconQrcode, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { FlowView } from "@/api/schema";
import { texts } from "@/texts";
import { Confirm } from "@/ui/Confirm";
import { RowMenu } from "@/ui/table/RowMenu";
import { type SaveState, saveStateInWords } from "./draftSaver";
import classes from "./Editor.module.css";
import { discardDraft } from "./queries";

const words = texts.editor;

interface EditorActionsProps {
  flow: FlowView;
  canEdit: boolean;
  state: SaveState;
  /** Null while the action is impossible, as for the other actions. */
  undo: (() => void) | null;
  redo: (() => void) | null;
  onPreview: (() => void) | null;
  onPublish: (() => void) | null;
  hasDraft: boolean;
  onDiscarded: () => void;
  onRetry: () => void;
  onConflict: () => void;
}

/** The state of saving in words, and the actions of the flow. */
export function EditorActions(props: EditorActionsProps) {
  const { flow, canEdit, state, undo, redo, onPreview, onPublish, hasDraft, onDiscarded } = props;
  const [discarding, setDiscarding] = useState(false);
  if (!canEdit) {
    return <Text c="dimmed">{words.readOnly}</Text>;
  }
  return (
    <>
      <SaveStatus {...props} />
      <Tooltip label={words.undo}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.tool}
          aria-label={words.undo}
          disabled={!undo}
          onClick={undo ?? undefined}
        >
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.redo}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.tool}
          aria-label={words.redo}
          disabled={!redo}
          onClick={redo ?? undefined}
        >
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
      <RowMenu name={flow.name}>
        <Menu.Item leftSection={<IconQrcode size={18} />} disabled={!onPreview} onClick={onPreview ?? undefined}>
          {words.link.open}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={18} />}
          disabled={!hasDraft || state.kind !== "saved"}
          onClick={() => setDiscarding(true)}
        >
          {words.discard}
        </Menu.Item>
      </RowMenu>
      <Tooltip label={onPublish ? words.publishShortcut : words.nothingToPublish}>
        <Button disabled={!onPublish} onClick={onPublish ?? undefined}>
          {words.publish.open}
        </Button>
      </Tooltip>
      {discarding && (
        <Confirm
          title={words.discardTitle}
          text={words.discardText}
          phrase={flow.name}
          action={words.discard}
          onClose={() => setDiscarding(false)}
          onConfirm={async () => {
            await discardDraft(flow.id);
            onDiscarded();
          }}
        />
      )}
    </>
  );
}

function SaveStatus({ state, hasDraft, onRetry, onConflict }: EditorActionsProps) {
  const isFine = state.kind === "saved" || state.kind === "saving";
  return (
    <Group gap={4} wrap="nowrap" visibleFrom={isFine ? "xs" : undefined}>
      <Text size="sm" c={state.kind === "failed" ? "var(--mantine-color-error)" : "dimmed"} role="status">
        {saveStateInWords(state, hasDraft)}
      </Text>
      {state.kind === "failed" && (
        <Button size="compact-sm" variant="subtle" onClick={onRetry}>
          {texts.ui.retry}
        </Button>
      )}
      {state.kind === "conflict" && (
        <Button size="compact-sm" variant="subtle" onClick={onConflict}>
          {words.compare}
        </Button>
      )}
    </Group>
  );
}
