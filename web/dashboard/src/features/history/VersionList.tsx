import { Menu } from "@mantine/core";
import { IconArrowBackUp, IconPencil } from "@tabler/icons-react";
import { type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useCan, useProjectId } from "@/api/projects";
import type { Pagination } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { memberNamesQuery } from "@/features/members/queries";
import { toastError } from "@/ui/feedback/feedback";
import { useUndo } from "@/ui/feedback/useUndo";
import { ListView } from "@/ui/table/ListView";
import { RowMenu } from "@/ui/table/RowMenu";
import { historyTexts } from "./texts";
import { type AnyVersion, versionColumns } from "./versionColumns";

const words = historyTexts;

interface VersionListProps<Row extends AnyVersion> {
  of: "flow" | "theme";
  versions: UseQueryResult<{ items: Row[]; pagination?: Pagination }>;
  /** The version that devices get. */
  live: number | null;
  /** The version that a restoration would only repeat. */
  newest: number | null | undefined;
  object?: string;
  state?: ReactNode;
  help?: string;
  action: ReactNode;
  above?: ReactNode;
  /** Put a version into the draft, and return what takes that back. */
  restoreToDraft: (number: number) => Promise<() => Promise<unknown>>;
  /** The dialogs that restore a version and that show its changes. */
  restoring: (number: number, close: () => void) => ReactNode;
  showing: (number: number, close: () => void) => ReactNode;
}

/** The versions of a flow or of a theme with their changes and restoring. */
export function VersionList<Row extends AnyVersion>(props: VersionListProps<Row>) {
  const { of, versions, live, newest, restoreToDraft, restoring, showing, ...shown } = props;
  const canEdit = useCan("editor");
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  const offerUndo = useUndo(of);
  const [opened, setOpened] = useState<number | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const members = useQuery({ ...memberNamesQuery(projectId), enabled: versions.isSuccess }).data;
  // The draft is a click away from what it was, so there is nothing to ask.
  const toDraft = useMutation({
    mutationFn: restoreToDraft,
    onSuccess: (undo, number) => offerUndo(words.restoredToDraft(number), undo),
    onError: (error) => toastError(error, words.restoreFailed),
    onSettled: () => invalidate(of),
  });
  const menu = ({ number }: { number: number }) => (
    <RowMenu name={words.versionNumber(number)}>
      <Menu.Item
        leftSection={<IconArrowBackUp size={18} />}
        disabled={number === newest}
        onClick={() => setAsked(number)}
      >
        {words.restore}
      </Menu.Item>
      <Menu.Item leftSection={<IconPencil size={18} />} onClick={() => toDraft.mutate(number)}>
        {words.restoreToDraft}
      </Menu.Item>
    </RowMenu>
  );
  return (
    <>
      <ListView
        {...shown}
        title={words.title}
        query={versions}
        columns={versionColumns(live, members, setOpened)}
        rowKey={({ number }) => String(number)}
        menu={canEdit ? menu : undefined}
      />
      {asked !== null && restoring(asked, () => setAsked(null))}
      {opened !== null && showing(opened, () => setOpened(null))}
    </>
  );
}
