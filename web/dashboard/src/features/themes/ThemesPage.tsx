import { Button, ColorSwatch, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPalette, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/api/projects";
import type { ThemeView } from "@/api/schema";
import { type ThemeSort, type ThemesSearch, themesQuery } from "@/api/themes";
import { Time } from "@/ui/format";
import { lazyDialog } from "@/ui/lazyDialog";
import { AnchorLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { StatusBadge } from "@/ui/StatusBadge";
import { EmptyState, ErrorState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { COLORS } from "./style";
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
      </Group>
    ),
  },
  {
    key: "colors",
    header: themeTexts.colors,
    render: ({ colors }) => (
      <Group gap={4} wrap="nowrap">
        {COLORS.map(
          (name) =>
            colors[name] && <ColorSwatch key={name} size={18} color={colors[name]} title={themeTexts.color[name]} />,
        )}
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
  const projectId = useProjectId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useCan("editor");
  const [creating, { open, close }] = useDisclosure();
  const themes = useQuery(themesQuery(projectId, search));
  const filter = (changes: ThemesSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });
  const isEmpty = themes.data?.pagination.total === 0;
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={18} />} onClick={open}>
      {themeTexts.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={themeTexts.title} text={themeTexts.help} actions={isEmpty ? null : createButton} />
      {creating && <CreateTheme onClose={close} />}
      {themes.isError ? (
        <ErrorState error={themes.error} onRetry={() => void themes.refetch()} />
      ) : isEmpty ? (
        <EmptyState
          icon={<IconPalette size={32} stroke={1.5} />}
          title={themeTexts.emptyTitle}
          text={themeTexts.emptyText}
          action={createButton}
        />
      ) : (
        <DataTable
          label={themeTexts.title}
          columns={COLUMNS}
          rows={themes.data?.items}
          rowKey={({ id }) => id}
          sort={search.sort ?? "-created_at"}
          onSort={(sort) => filter({ sort: sort as ThemeSort })}
          pagination={themes.data?.pagination}
          onPage={(page) => filter({ page })}
        />
      )}
    </>
  );
}
