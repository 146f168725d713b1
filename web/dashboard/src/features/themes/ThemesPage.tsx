import { Button, ColorSwatch, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPalette, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ThemeView } from "@/api/schema";
import { useCan, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { Time } from "@/ui/format";
import { lazyDialog } from "@/ui/lazyDialog";
import { AnchorLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { StatusBadge } from "@/ui/StatusBadge";
import { EmptyState, ErrorState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { type ThemeSort, type ThemesSearch, themesQuery } from "./queries";
import { COLORS } from "./style";

const CreateTheme = lazyDialog(async () => (await import("./CreateTheme")).CreateTheme);

const route = getRouteApi("/projects/$projectId/themes");

const COLUMNS: readonly Column<ThemeView>[] = [
  {
    key: "name",
    header: texts.themes.name,
    sortBy: "name",
    render: (theme) => (
      <Group gap="xs" wrap="nowrap">
        <AnchorLink
          to="/projects/$projectId/themes/$themeId"
          params={{ projectId: theme.project_id, themeId: theme.id }}
        >
          {theme.name}
        </AnchorLink>
        {theme.is_default && <StatusBadge tone="accent">{texts.themes.isDefault}</StatusBadge>}
      </Group>
    ),
  },
  {
    key: "colors",
    header: texts.themes.colors,
    render: ({ colors }) => (
      <Group gap={4} wrap="nowrap">
        {COLORS.map(
          (name) =>
            colors[name] && <ColorSwatch key={name} size={18} color={colors[name]} title={texts.themes.color[name]} />,
        )}
      </Group>
    ),
  },
  {
    key: "updated",
    header: texts.themes.updated,
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
      {texts.themes.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.themes.title} text={texts.themes.help} actions={isEmpty ? null : createButton} />
      {creating && <CreateTheme onClose={close} />}
      {themes.isError ? (
        <ErrorState error={themes.error} onRetry={() => void themes.refetch()} />
      ) : isEmpty ? (
        <EmptyState
          icon={<IconPalette size={32} stroke={1.5} />}
          title={texts.themes.emptyTitle}
          text={texts.themes.emptyText}
          action={createButton}
        />
      ) : (
        <DataTable
          label={texts.themes.title}
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
