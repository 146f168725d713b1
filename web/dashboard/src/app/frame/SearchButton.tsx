import { ActionIcon, Button, Kbd } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { texts } from "@/texts";
import classes from "./Frame.module.css";

/** The button that opens the command palette. */
export function SearchButton({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        size="xs"
        h={32}
        className={classes.searchButton}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{texts.app.searchShortcut}</Kbd>}
        onClick={onOpen}
      >
        {texts.app.search}
      </Button>
      <ActionIcon
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.app.search}
        onClick={onOpen}
      >
        <IconSearch size={18} />
      </ActionIcon>
    </>
  );
}
