import { ActionIcon, Button, Group, Text, Tooltip } from "@mantine/core";
import type { HotkeyItem } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { editorTexts } from "@/features/editor/texts";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback/feedback";
import classes from "../Editor.module.css";
import type { Edited } from "../queries";
import type { DraftStore } from "./draftStore";

const words = editorTexts;

interface ToolProps {
  label: string;
  icon: ReactNode;
  isEnabled: boolean;
  onClick: () => void;
}

/** A button with an icon in the header of a draft. */
export function Tool({ label, icon, isEnabled, onClick }: ToolProps) {
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
function saveStateInWords<Document, Read extends Edited<Document>>({
  state,
  hasDraft,
}: DraftStore<Document, Read>): string {
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

interface SaveStatusProps<Document, Read extends Edited<Document>> {
  store: DraftStore<Document, Read>;
  onConflict: () => void;
}

/** The state of saving, with what the user can do about it. */
export function SaveStatus<Document, Read extends Edited<Document>>({
  store,
  onConflict,
}: SaveStatusProps<Document, Read>) {
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

/** Save the draft, then open a dialog about it; say why there is none if the draft cannot be saved. */
export async function saveThen<Document, Read extends Edited<Document>>(
  store: DraftStore<Document, Read>,
  open: () => void,
): Promise<void> {
  if (await store.flush()) {
    open();
  } else {
    toast(words.save.first);
  }
}

/** Return a hotkey that leaves its keys to an open dialog. */
export function outsideOfDialogs(keys: string, act: () => void): HotkeyItem {
  const press = (event: KeyboardEvent) => {
    if (document.querySelector("[role=dialog]") === null) {
      event.preventDefault();
      act();
    }
  };
  return [keys, press, { preventDefault: false }];
}

/** The button that was used is gone: the keyboard goes on from the beginning of the view. */
export function focusContent(): void {
  document.getElementById("content")?.focus({ preventScroll: true });
}
