import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Outlet, useLocation, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { texts } from "@/texts";
import "@/ui/focus";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { Banners } from "./Banners";
import { Breadcrumb } from "./Breadcrumb";
import classes from "./Frame.module.css";
import { HelpMenu } from "./HelpMenu";
import { ProfileMenu } from "./ProfileMenu";
import { SearchButton } from "./SearchButton";
import { Sidebar } from "./Sidebar";

const Shortcuts = lazyDialog(async () => (await import("./Shortcuts")).Shortcuts);
const CommandPalette = lazy(() => import("./CommandPalette"));

/** The frame of every view: the sidebar, the header, and the banners above the view. */
export function Frame() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  const [searches, setSearches] = useState(0);
  const search = () => setSearches((count) => count + 1);
  // The empty list lets the shortcut work in text fields, too.
  useHotkeys([["mod+K", search]], []);
  const [showsShortcuts, shortcuts] = useDisclosure();
  useHotkeys([["shift+?", shortcuts.open]]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow screen the sidebar closes after each choice
  useEffect(close, [pathname]);

  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", sm: "lg" }}
      transitionDuration={150}
    >
      <a className="skip-link" href="#content">
        {texts.app.skipToContent}
      </a>
      <AppShell.Header className={classes.header}>
        {isLoading && <div className={classes.loading} />}
        <Group h="100%" px="md" gap="sm" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger hiddenFrom="sm" size="sm" opened={opened} onClick={toggle} aria-label={texts.app.openNavigation} />
            <Breadcrumb />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton onOpen={search} />
            <HelpMenu onShortcuts={shortcuts.open} />
            <ProfileMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm" aria-label={texts.app.navigation}>
        <Sidebar opened={opened} onClose={close} />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
        <div className={classes.content}>
          <Banners />
          <Outlet />
        </div>
      </AppShell.Main>
      {showsShortcuts && <Shortcuts onClose={shortcuts.close} />}
      {searches > 0 && (
        <Suspense>
          <CommandPalette requests={searches} />
        </Suspense>
      )}
    </AppShell>
  );
}
