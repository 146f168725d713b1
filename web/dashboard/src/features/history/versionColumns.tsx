import { Anchor, Group, Text } from "@mantine/core";
import type { ThemeVersionView, VersionView } from "@/api/schema";
import { memberTexts } from "@/features/members/texts";
import type { Column } from "@/ui/table/DataTable";
import { Time } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { historyTexts } from "./texts";

const words = historyTexts;

/** What versions of flows and of themes have in common. */
export type AnyVersion = Pick<VersionView & ThemeVersionView, keyof VersionView & keyof ThemeVersionView>;

/** Return the columns of versions. `live` is the number of the one that devices get; `onOpen` shows one. */
export function versionColumns(
  live: number | null,
  members: ReadonlyMap<string, string> | undefined,
  onOpen: (number: number) => void,
): readonly Column<AnyVersion>[] {
  return [
    {
      key: "number",
      header: words.version,
      render: ({ number }) => (
        <Group gap="xs" wrap="nowrap">
          <Anchor component="button" type="button" inherit onClick={() => onOpen(number)}>
            {words.versionNumber(number)}
          </Anchor>
          {number === live && <StatusBadge tone="good">{words.live}</StatusBadge>}
        </Group>
      ),
    },
    { key: "origin", header: words.origin, render: (version) => originOf(version) },
    {
      key: "note",
      header: words.note,
      hideBelow: "sm",
      render: ({ note }) => (
        <Text inherit lineClamp={1} title={note ?? undefined}>
          {note ?? "–"}
        </Text>
      ),
    },
    {
      key: "by",
      header: words.by,
      hideBelow: "sm",
      render: ({ created_by }) =>
        created_by === null ? words.service : (members?.get(created_by) ?? memberTexts.formerMember),
    },
    { key: "at", header: words.at, render: ({ created_at }) => <Time value={created_at} /> },
  ];
}

function originOf({ origin, restored_from }: AnyVersion): string {
  return origin === "restored" && restored_from !== null
    ? words.restoredFrom(restored_from)
    : (words.origins[origin] ?? origin);
}
