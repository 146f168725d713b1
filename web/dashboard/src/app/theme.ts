import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, rem } from "@mantine/core";
import { texts } from "@/texts";

/** The one accent: for action and selection alone. */
const accent: MantineColorsTuple = [
  "#eef0ff",
  "#dfe3fd",
  "#bcc4f7",
  "#97a3f1",
  "#7886ec",
  "#5a6ae4",
  "#4353d9",
  "#3643c2",
  "#2e3aa6",
  "#262f85",
];

const gray: MantineColorsTuple = [
  "#f8f8f9",
  "#f1f1f4",
  "#e6e6ea",
  "#dadae0",
  "#c6c6ce",
  "#a1a1ac",
  "#6a6a76",
  "#4d4d58",
  "#33333c",
  "#1d1d23",
];

const dark: MantineColorsTuple = [
  "#e4e4e9",
  "#c5c5cd",
  "#a2a2ad",
  "#85858f",
  "#3a3a43",
  "#2c2c34",
  "#222229",
  "#17171c",
  "#111115",
  "#0b0b0e",
];

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

export const theme = createTheme({
  colors: { accent, gray, dark },
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 5 },
  white: "#ffffff",
  black: "#1d1d23",
  fontFamily: FONT,
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(14), lg: rem(16), xl: rem(20) },
  lineHeights: { xs: "1.35", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  fontWeights: { regular: "400", medium: "550", bold: "550" },
  headings: {
    fontFamily: FONT,
    fontWeight: "550",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: rem(24), lineHeight: rem(32) },
      h2: { fontSize: rem(20), lineHeight: rem(28) },
      h3: { fontSize: rem(16), lineHeight: rem(24) },
      h4: { fontSize: rem(14), lineHeight: rem(20) },
    },
  },
  // The 4 px grid.
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(12), xl: rem(16) },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // All portals are in one landmark of index.html.
    Portal: { defaultProps: { target: "#overlays" } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
    ModalRoot: { defaultProps: { centered: true, transitionProps: { transition: "fade", duration: 150 } } },
    Menu: {
      defaultProps: {
        shadow: "sm",
        position: "bottom-end",
        transitionProps: { duration: 120 },
        withInitialFocusPlaceholder: false,
      },
    },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": texts.ui.close }, withBorder: true } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
    Badge: {
      defaultProps: { variant: "light", radius: "sm", tt: "none" },
      styles: { label: { fontSize: rem(12) } },
    },
    Kbd: { styles: { root: { fontSize: rem(12) } } },
    Breadcrumbs: { defaultProps: { separatorMargin: 8 } },
  },
});

/** Texts have a contrast of at least 4.5 in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-placeholder": "#73737f",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-default-border": "#dadae0",
    "--mantine-color-disabled-color": "#73737f",
    "--mantine-color-teal-light-color": "#06553d",
    "--mantine-color-yellow-light-color": "#6b4100",
    "--mantine-color-red-light-color": "#a51d1d",
    "--app-border": "#e6e6ea",
    "--app-sidebar": "#f8f8f9",
    "--app-hover": "#f1f1f4",
    "--app-warning": "#8a5a00",
  },
  dark: {
    "--mantine-color-placeholder": "#9696a2",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-anchor": "#97a3f1",
    "--mantine-color-dimmed": "#a2a2ad",
    "--mantine-color-disabled-color": "#9696a2",
    "--mantine-color-accent-light": "#262b52",
    "--mantine-color-accent-light-hover": "#2f3563",
    "--mantine-color-gray-light": "#2c2c34",
    "--app-border": "#2c2c34",
    "--app-sidebar": "#111115",
    "--app-hover": "#222229",
    "--app-warning": "#f0b429",
  },
});
