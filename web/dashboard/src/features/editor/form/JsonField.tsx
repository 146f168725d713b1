import { JsonInput } from "@mantine/core";
import { useState } from "react";
import { appTexts } from "@/features/editor/appTexts";

interface JsonFieldProps {
  label: string;
  description?: string;
  error?: string;
  disabled: boolean;
  "data-member": string;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** The text of an object as JSON. A text that is none yet stays in the field, and changes nothing. */
export function JsonField({ value, error, onChange, ...props }: JsonFieldProps) {
  const [typed, setTyped] = useState("");
  const read = objectOf(typed);
  const isPresent = read === null || JSON.stringify(read) === JSON.stringify(value);
  const shown = value === undefined || value === null ? "" : JSON.stringify(value, null, 2);
  return (
    <JsonInput
      {...props}
      error={error ?? (read === null ? appTexts.notJson : undefined)}
      autosize
      minRows={3}
      maxRows={12}
      value={isPresent ? typed : shown}
      onChange={(next) => {
        const changed = objectOf(next);
        setTyped(next);
        if (changed !== null) {
          onChange(changed);
        }
      }}
    />
  );
}

/** Return the object of a text, undefined for an empty one, and null for a text that is no object. */
function objectOf(text: string): object | null | undefined {
  if (text.trim() === "") {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
