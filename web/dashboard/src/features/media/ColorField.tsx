import { TextInput } from "@mantine/core";
import classes from "./Media.module.css";
import { mediaTexts as words } from "./texts";

interface ColorFieldProps {
  label: string;
  description?: string | undefined;
  error?: string | undefined;
  disabled: boolean;
  /** The colour that an empty field stands for. */
  placeholder?: string;
  value: string;
  "data-member"?: string;
  onChange: (value: string) => void;
}

/** The input for a colour as hex, with the picker of the browser. */
export function ColorField({ placeholder = "#ffffff", value, onChange, ...input }: ColorFieldProps) {
  return (
    <TextInput
      {...input}
      placeholder={placeholder}
      value={value}
      leftSection={
        <input
          type="color"
          className={classes.swatch}
          aria-label={words.chooseColor(input.label)}
          disabled={input.disabled}
          value={[value, placeholder].find((color) => /^#[0-9a-f]{6}$/i.test(color)) ?? "#ffffff"}
          onChange={(event) => onChange(event.target.value)}
        />
      }
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
