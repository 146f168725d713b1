import { Button, Menu, Tooltip } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconArrowBackUp, IconArrowForwardUp, IconHistory, IconStar, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { focusContent, outsideOfDialogs, SaveStatus, saveThen, Tool } from "@/features/editor/draft/DraftTools";
import { editorTexts } from "@/features/editor/texts";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { MenuItemLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { RowMenu } from "@/ui/table/RowMenu";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { discardThemeDraft, type EditedTheme } from "./queries";
import type { ThemeStore } from "./ThemeEditor";
import { themeTexts as words } from "./texts";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);
const DeleteTheme = lazyDialog(async () => (await import("./DeleteTheme")).DeleteTheme);
const MakeDefault = lazyDialog(async () => (await import("./MakeDefault")).MakeDefault);
const PublishTheme = lazyDialog(async () => (await import("./PublishTheme")).PublishTheme);
const ThemeConflict = lazyDialog(async () => (await import("./ThemeConflict")).ThemeConflict);

type Question = "publish" | "discard" | "delete" | "default";

/** The header of the editor of a theme: the state of saving, and the acts with their shortcuts. */
export function ThemeHeader({ store }: { store: ThemeStore }) {
  const { state, hasDraft, document } = store;
  const { theme } = store.stored;
  const [asked, setAsked] = useState<Question | null>(null);
  const [dismissed, setDismissed] = useState<EditedTheme | null>(null);
  const close = () => setAsked(null);
  const canPublish = hasDraft || store.isDirty;
  const publish = () => canPublish && void saveThen(store, () => setAsked("publish"));
  useHotkeys(
    [
      outsideOfDialogs("mod+Z", () => store.undo()),
      outsideOfDialogs("mod+Y", () => store.redo()),
      outsideOfDialogs("mod+shift+Z", () => store.redo()),
      outsideOfDialogs("mod+Enter", publish),
      ["mod+S", () => void store.flush()],
    ],
    [],
    true,
  );
  const actions = (
    <>
      <SaveStatus store={store} onConflict={() => setDismissed(null)} />
      <Tool
        label={editorTexts.undo}
        icon={<IconArrowBackUp size={18} />}
        isEnabled={store.canUndo}
        onClick={() => store.undo()}
      />
      <Tool
        label={editorTexts.redo}
        icon={<IconArrowForwardUp size={18} />}
        isEnabled={store.canRedo}
        onClick={() => store.redo()}
      />
      <RowMenu name={theme.name}>
        <MenuItemLink
          leftSection={<IconHistory size={18} />}
          to="/projects/$projectId/themes/$themeId/history"
          params={{ projectId: theme.project_id, themeId: theme.id }}
        >
          {words.history}
        </MenuItemLink>
        <Menu.Item leftSection={<IconStar size={18} />} disabled={theme.is_default} onClick={() => setAsked("default")}>
          {words.setDefault}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowBackUp size={18} />}
          disabled={!hasDraft || state.kind !== "saved"}
          onClick={() => setAsked("discard")}
        >
          {words.discard}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => setAsked("delete")}>
          {words.delete}
        </Menu.Item>
      </RowMenu>
      <Tooltip label={canPublish ? editorTexts.publishShortcut : words.nothingToPublish}>
        {/* The tooltip of a disabled button would not open. */}
        <Button data-disabled={!canPublish || undefined} aria-disabled={!canPublish} onClick={publish}>
          {words.publish}
        </Button>
      </Tooltip>
    </>
  );
  return (
    <>
      <PageHeader
        title={document.name || theme.name}
        state={theme.is_default && <StatusBadge tone="accent">{words.isDefault}</StatusBadge>}
        text={words.liveText}
        actions={actions}
      />
      {asked === "publish" && <PublishTheme store={store} onClose={close} />}
      {asked === "default" && <MakeDefault theme={theme} onClose={close} />}
      {asked === "delete" && <DeleteTheme theme={theme} onClose={close} />}
      {asked === "discard" && (
        <Confirm
          title={words.discardTitle}
          text={words.discardText}
          phrase={theme.name}
          action={words.discard}
          onClose={close}
          onConfirm={async () => {
            await discardThemeDraft(theme.id);
            await store.restart();
            focusContent();
          }}
        />
      )}
      {state.kind === "conflict" && state.theirs !== dismissed && (
        <ThemeConflict store={store} theirs={state.theirs} onClose={() => setDismissed(state.theirs)} />
      )}
    </>
  );
}
