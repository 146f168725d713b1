import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { texts } from "@/texts";

interface SearchInputProps {
  label: string;
  value: string | undefined;
  /** The error of the service about the words. */
  error?: string;
  onSearch: (value: string | undefined) => void;
}

const DELAY_MILLISECONDS = 250;

/** The search field of a list. It calls `onSearch` when typing pauses. */
export function SearchInput({ label, value, error, onSearch }: SearchInputProps) {
  const [typed, setTyped] = useState(value ?? "");
  const sent = useRef(value);
  const searchLater = useDebouncedCallback((words: string) => {
    sent.current = words.trim() || undefined;
    onSearch(sent.current);
  }, DELAY_MILLISECONDS);
  // The address may also change by a button that clears all filters, or by going back.
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value ?? "");
    }
  }, [value]);
  const change = (words: string) => {
    setTyped(words);
    searchLater(words);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      error={error}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={typed && <CloseButton aria-label={texts.ui.clearFilters} onClick={() => change("")} />}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      w={{ base: "100%", sm: 280 }}
    />
  );
}
