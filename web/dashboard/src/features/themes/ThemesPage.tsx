import { Button, ColorSwatch, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPalette, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/api/projects";
import type { ThemeView } from "@/api/schema";
import { themesQuery } from "@/api/themes";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { AnchorLink } from "@/ui/links";
import type { Column } from "@/ui/table/DataTable";
import { ListView } from "@/ui/table/ListView";
import { Time } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { COLORS } from "./fields";
import { themeTexts } from "./texts";

const CreateTheme = lazyDialog(async () => (await import("./CreateTheme")).CreateTheme);

const route = getRouteApi("/projects/$projectId/themes");

const COLUMNS: readonly Column<ThemeView>[] = [
  {
    key: "name",
    header: themeTexts.name,
    sortBy: "name",
    render: (theme) => (
      <Group gap="xs" wrap="nowrap">
        <AnchorLink
          to="/projects/$projectId/themes/$themeId"
          params={{ projectId: theme.project_id, themeId: theme.id }}
        >
          {theme.name}
        </AnchorLink>
        {theme.is_default && <StatusBadge tone="accent">{themeTexts.isDefault}</StatusBadge>}
        {theme.has_draft && <StatusBadge>{themeTexts.hasDraft}</StatusBadge>}
      </Group>
    ),
  },
  {
    key: "colors",
    header: themeTexts.colors,
    render: ({ colors }) => (
      <Group gap={4} wrap="nowrap">
        {COLORS.map((name) => {
          const color = colors[name];
          return (
            typeof color === "string" && (
              <ColorSwatch key={name} size={18} color={color} title={themeTexts.color[name]} />
            )
          );
        })}
      </Group>
    ),
  },
  {
    key: "updated",
    header: themeTexts.updated,
    numeric: true,
    hideBelow: "sm",
    render: (theme) => <Time value={theme.updated_at} />,
  },
];

/** The themes of a project. */
export function ThemesPage() {
  const [creating, { open, close }] = useDisclosure();
  return (
    <>
      {creating && <CreateTheme onClose={close} />}
      <ListView
        title={themeTexts.title}
        help={themeTexts.help}
        action={
          useCan("editor") && (
            <Button leftSection={<IconPlus size={18} />} onClick={open}>
              {themeTexts.create}
            </Button>
          )
        }
        query={useQuery(themesQuery(useProjectId(), route.useSearch()))}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={{
          icon: <IconPalette size={32} stroke={1.5} />,
          title: themeTexts.emptyTitle,
          text: themeTexts.emptyText,
        }}
      />
    </>
  );
}
