import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { DraftView } from "@/api/schema";
import { texts } from "@/texts";
import { toastError } from "@/ui/feedback";
import { approve, draftReviewQuery, userQuery } from "../queries";

const words = texts.editor.publish;

/** The approvals of a draft. Its authors may not approve it; the draft names the author of the last change alone. */
export function Approvals({ draft }: { draft: DraftView }) {
  const queryClient = useQueryClient();
  const user = useQuery(userQuery).data;
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
