import { Button, Group, Input, NumberInput, SegmentedControl, Select, Slider, Stack } from "@mantine/core";
import { list, number, object, text } from "@onboarding/flow/json";
import { useState } from "react";
import { ColorField } from "./ColorField";
import { MediaField } from "./MediaField";
import { referenceOf } from "./references";
import { mediaTexts } from "./texts";

const words = mediaTexts.background;
const KINDS = ["none", "color", "gradient", "picture"] as const;
const POSITIONS = ["center", "top", "bottom", "left", "right"] as const;
const MAX_COLORS = 4;
const COLOR = "#ffffff";
const GRADIENT = { gradient: ["#dbe4ff", "#ffffff"], angle: 180 };

type Kind = (typeof KINDS)[number];

interface BackgroundFieldProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  disabled: boolean;
  /** A colour, `{gradient, angle}` or `{media_id, overlay, position}`; anything else is none. */
  value: unknown;
  "data-member": string;
  /** What pages take without one; by default that of the theme. */
  none?: string;
  onChange: (value: unknown) => void;
}

/** The input for the background of a theme or a screen. */
export function BackgroundField({
  label,
  description,
  error,
  none = words.kinds.none,
  value,
  onChange,
  ...input
}: BackgroundFieldProps) {
  // A picture is not there before a file is chosen.
  const [chosen, setChosen] = useState<Kind>();
  const given = kindOf(value);
  const kind = given === "none" && chosen === "picture" ? chosen : given;
  const { disabled } = input;
  const source = object(value);
  const change = (changes: object) => onChange({ ...source, ...changes });
  const choose = (next: string) => {
    setChosen(next as Kind);
    onChange(next === "color" ? COLOR : next === "gradient" ? GRADIENT : null);
  };
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt={4} data-member={input["data-member"]}>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={label}
          disabled={disabled}
          data={KINDS.map((name) => ({ value: name, label: name === "none" ? none : words.kinds[name] }))}
          value={kind}
          onChange={choose}
        />
        {kind === "color" && (
          <ColorField
            label={words.hex}
            disabled={disabled}
            value={text(value)}
            onChange={(next) => onChange(next || null)}
          />
        )}
        {kind === "gradient" && <Gradient source={source} disabled={disabled} onChange={change} />}
        {kind === "picture" && (
          <>
            <MediaField
              {...input}
              label={words.kinds.picture}
              description={undefined}
              error={undefined}
              hasAddress={false}
              value={value}
              onChange={(next) => (typeof next === "object" ? change(next) : onChange(null))}
            />
            {referenceOf(value) && <Picture source={source} disabled={disabled} onChange={change} />}
          </>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

interface PartProps {
  source: Record<string, unknown>;
  disabled: boolean;
  onChange: (changes: object) => void;
}

function Gradient({ source, disabled, onChange }: PartProps) {
  const colors = list(source.gradient).map((color) => text(color));
  return (
    <>
      {colors.map((color, place) => (
        <ColorField
          // biome-ignore lint/suspicious/noArrayIndexKey: colours have no identity but their place
          key={place}
          label={words.color(place + 1)}
          disabled={disabled}
          value={color}
          onChange={(next) => onChange({ gradient: colors.with(place, next) })}
        />
      ))}
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          disabled={disabled || colors.length >= MAX_COLORS}
          onClick={() => onChange({ gradient: [...colors, COLOR] })}
        >
          {words.addColor}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={disabled || colors.length <= GRADIENT.gradient.length}
          onClick={() => onChange({ gradient: colors.slice(0, -1) })}
        >
          {words.removeColor}
        </Button>
      </Group>
      <NumberInput
        label={words.angle}
        description={words.angleHelp}
        suffix="°"
        min={-360}
        max={360}
        step={15}
        disabled={disabled}
        value={number(source.angle) ?? GRADIENT.angle}
        onChange={(angle) => onChange({ angle: Number(angle) })}
      />
    </>
  );
}

function Picture({ source, disabled, onChange }: PartProps) {
  const position = text(source.position) || "center";
  const data = POSITIONS.map((name) => ({ value: name as string, label: words.positions[name] as string }));
  return (
    <>
      <Input.Wrapper label={words.overlay} description={words.overlayHelp} labelElement="div">
        <Slider
          mt={4}
          thumbLabel={words.overlay}
          min={0}
          max={1}
          step={0.05}
          label={(share) => `${Math.round(share * 100)} %`}
          disabled={disabled}
          value={number(source.overlay) ?? 0}
          onChange={(overlay) => onChange({ overlay })}
        />
      </Input.Wrapper>
      <Select
        label={words.position}
        data={data.some(({ value }) => value === position) ? data : [...data, { value: position, label: position }]}
        allowDeselect={false}
        disabled={disabled}
        value={position}
        onChange={(next) => onChange({ position: next })}
      />
    </>
  );
}

function kindOf(value: unknown): Kind {
  if (typeof value === "string" && value !== "") {
    return "color";
  }
  if (Array.isArray(object(value).gradient)) {
    return "gradient";
  }
  return referenceOf(value) ? "picture" : "none";
}
