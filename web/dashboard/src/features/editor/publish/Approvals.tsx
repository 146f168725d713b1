import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { DraftView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { memberNamesQuery } from "@/features/members/queries";
import { memberTexts } from "@/features/members/texts";
import { toastError } from "@/ui/feedback/feedback";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { approve, draftReviewQuery, userQuery } from "../queries";

const words = editorTexts.publish;

/** The approvals of a draft. Its authors may not approve it; the draft names the author of the last change alone. */
export function Approvals({ draft, projectId }: { draft: DraftView; projectId: string }) {
  const queryClient = useQueryClient();
  const user = useQuery(userQuery).data;
  const names = useQuery({ ...memberNamesQuery(projectId), ...OPTIONAL_QUERY }).data;
  const givers = draft.approvals.map(({ user_id }) => names?.get(user_id) ?? memberTexts.formerMember);
  const { mutate, isPending } = useMutation({
    mutationFn: () => approve(draft.flow_id),
    onSuccess: (approved) =>
      queryClient.setQueryData(
        draftReviewQuery(draft.flow_id).queryKey,
        (review) => review && { ...review, draft: approved },
      ),
    onError: (error) => toastError(error),
  });
  const isAuthor = user?.id === draft.updated_by;
  const hasApproved = draft.approvals.some(({ user_id }) => user_id === user?.id);
  return (
    <Group justify="space-between">
      <Text>
        {words.approvals(draft.approvals.length, draft.required_approvals)}
        {names && givers.length > 0 && (
          <Text span size="sm" c="dimmed" display="block">
            {words.approvedBy(givers)}
          </Text>
        )}
        {isAuthor && (
          <Text span size="sm" c="dimmed" display="block">
            {words.notByAuthor}
          </Text>
        )}
      </Text>
      {user && !isAuthor && !hasApproved && (
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {words.approve}
        </Button>
      )}
    </Group>
  );
}
