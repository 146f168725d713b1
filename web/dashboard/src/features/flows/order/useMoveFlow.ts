import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import type { Page } from "@/api/responses";
import type { ListedFlowView } from "@/api/schema";
import { useUndo } from "@/ui/feedback/useUndo";
import { flowOrderQuery, replaceFlowOrder } from "../queries";
import { flowTexts } from "../texts";

/** Return the order of all flows after those of one page got a new one; they keep the places of the page. */
export function spliceOrder(all: readonly string[], page: readonly string[]): string[] {
  const onPage = new Set(page);
  const next = page.values();
  return all.map((id) => (onPage.has(id) ? (next.next().value ?? id) : id));
}

/** Return the flows of a page in the order of the ids; flows without a place in it keep theirs. */
export function inOrder(flows: readonly ListedFlowView[], ids: readonly string[]): ListedFlowView[] {
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  return spliceOrder(
    flows.map((flow) => flow.id),
    ids,
  ).flatMap((id) => byId.get(id) ?? []);
}

/**
 * Return a function that gives the flows of the page that `shown` has another order: at once in that list, and then in
 * the service. It rejects with the error of the service.
 */
export function useMoveFlow(projectId: string, shown: QueryKey): (ids: string[]) => Promise<unknown> {
  const queryClient = useQueryClient();
  const offerUndo = useUndo("flow");
  const lists = { queryKey: [...keys.flows.list, projectId] };
  const mutationKey = ["move-flow", projectId];
  const { mutateAsync } = useMutation({
    mutationKey,
    // One after the other: each change needs the entity tag that the one before has made.
    scope: { id: mutationKey.join(" ") },
    mutationFn: async (ids: string[]) => {
      const order = await queryClient.fetchQuery({ ...flowOrderQuery(projectId), staleTime: 0 });
      const before = order.data.flow_ids;
      const { etag } = await replaceFlowOrder(projectId, order.etag, spliceOrder(before, ids));
      return () => replaceFlowOrder(projectId, etag, before);
    },
    onMutate: async (ids) => {
      await queryClient.cancelQueries(lists);
      const before = queryClient.getQueryData<Page<ListedFlowView>>(shown);
      queryClient.setQueryData<Page<ListedFlowView>>(
        shown,
        (page) => page && { ...page, items: inOrder(page.items, ids) },
      );
      return before;
    },
    onError: (_, __, before) => {
      queryClient.setQueryData(shown, before);
    },
    onSuccess: (undo) => offerUndo(flowTexts.orderSaved, undo),
    // The list of an earlier change would take back the later ones.
    onSettled: () => (queryClient.isMutating({ mutationKey }) > 1 ? null : queryClient.invalidateQueries(lists)),
  });
  return mutateAsync;
}
