import { ActionIcon, Button, Group, Menu, SegmentedControl, Stack, Text, Tooltip } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { directionOf } from "@onboarding/flow/languages";
import { PSEUDO_LOCALES, type PseudoLocale } from "@onboarding/flow/pseudo";
import {
  IconLanguage,
  IconMoon,
  IconRefresh,
  IconSun,
  IconTextDirectionLtr,
  IconTextDirectionRtl,
} from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { editorTexts } from "@/features/editor/texts";
import type { PreviewedFlow } from "@/features/preview/pageDocument";
import { type PreviewEvents, type PreviewOptions, usePreview, usePreviewUrl } from "@/features/preview/usePreview";
import { texts } from "@/texts";
import classes from "../Editor.module.css";
import { inPseudoLocale } from "../languages/translating";

const words = editorTexts.phone;
const SIZES = { small: [320, 640], phone: [390, 844], tablet: [768, 1024] } as const;
type Size = keyof typeof SIZES;
const SIZE_OPTIONS = (Object.keys(SIZES) as Size[]).map((value) => ({ value, label: words.sizes[value] }));
/** A preview that has not loaded after this time has a reason and a button beside it. */
const LATE_MILLISECONDS = 5000;
/** The border of the device around the page. */
const BORDER = 20;

interface PhoneProps extends PreviewEvents {
  flow: PreviewedFlow;
  screenId: string;
  walk?: PreviewOptions["walk"];
  onRestart?: () => void;
}

/** The real page in a frame with the size of a device, scaled to fit. */
export function Phone({ flow, screenId, walk, onRestart, ...events }: PhoneProps) {
  const restart = onRestart ?? (() => events.onScreen(flow.document.screens[0]?.id ?? ""));
  const frame = useRef<HTMLIFrameElement>(null);
  const [size, setSize] = useState<Size>("phone");
  const [dark, setDark] = useState(false);
  const [isMirrored, setMirrored] = useState(false);
  const [pseudo, setPseudo] = useState<PseudoLocale | null>(null);
  const { document, locale } = flow;
  const dir = isMirrored === (directionOf(pseudo ?? locale ?? "en") === "ltr") ? "rtl" : "ltr";
  const pseudoDocument = useMemo(() => (pseudo ? inPseudoLocale(document, pseudo) : document), [document, pseudo]);
  const shown = { ...flow, document: pseudoDocument, locale: pseudo ? "en" : locale };
  const { ref, width, height } = useElementSize();
  const url = usePreviewUrl();
  const isLoaded = usePreview(frame, shown, { screenId, dark, dir, walk }, events);
  const [attempt, setAttempt] = useState(0);
  const [isLate, setLate] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt has its own time
  useEffect(() => {
    setLate(false);
    const timer = setTimeout(() => setLate(true), LATE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [attempt]);

  const [deviceWidth, deviceHeight] = SIZES[size];
  const fitting = Math.min(1, width / (deviceWidth + BORDER), height / (deviceHeight + BORDER));
  const scale = fitting > 0 ? fitting : 1;
  return (
    <div className={classes.stage}>
      <Group gap="xs" justify="center" wrap="nowrap">
        <SegmentedControl
          size="xs"
          aria-label={words.size}
          data={SIZE_OPTIONS}
          value={size}
          onChange={(value) => setSize(value as Size)}
        />
        <Tooltip label={dark ? words.light : words.dark}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={words.dark}
            aria-pressed={dark}
            onClick={() => setDark(!dark)}
          >
            {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
          </ActionIcon>
        </Tooltip>
        <Tooltip label={dir === "rtl" ? words.leftToRight : words.rightToLeft}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={words.rightToLeft}
            aria-pressed={dir === "rtl"}
            onClick={() => setMirrored(!isMirrored)}
          >
            {dir === "rtl" ? <IconTextDirectionLtr size={18} /> : <IconTextDirectionRtl size={18} />}
          </ActionIcon>
        </Tooltip>
        <Menu>
          <Menu.Target>
            <ActionIcon
              variant={pseudo ? "filled" : "default"}
              size={30}
              aria-label={words.pseudo}
              title={words.pseudo}
            >
              <IconLanguage size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {[null, ...PSEUDO_LOCALES].map((choice) => (
              <Menu.Item
                key={choice ?? "none"}
                aria-current={choice === pseudo}
                fw={choice === pseudo ? 600 : undefined}
                onClick={() => setPseudo(choice)}
              >
                {words.pseudoNames[choice ?? "none"]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Tooltip label={words.restart}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={words.restart}
            onClick={() => {
              setAttempt(attempt + 1);
              restart();
            }}
          >
            <IconRefresh size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <div ref={ref} className={classes.fit}>
        <div
          className={classes.device}
          style={{ width: (deviceWidth + BORDER) * scale, height: (deviceHeight + BORDER) * scale }}
        >
          {isLate && !isLoaded && (
            <Stack className={classes.late} align="center" justify="center" p="lg" role="alert">
              <Text ta="center">{words.late(new URL(url).origin)}</Text>
              <Button variant="default" onClick={() => setAttempt(attempt + 1)}>
                {texts.ui.retry}
              </Button>
            </Stack>
          )}
          <iframe
            key={attempt}
            ref={frame}
            title={words.title}
            src={url}
            sandbox="allow-scripts allow-same-origin"
            className={classes.page}
            style={{
              width: deviceWidth,
              height: deviceHeight,
              transform: `scale(${scale})`,
              top: (BORDER / 2) * scale,
              left: (BORDER / 2) * scale,
            }}
          />
        </div>
      </div>
    </div>
  );
}
