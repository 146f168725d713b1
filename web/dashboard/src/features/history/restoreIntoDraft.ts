import type { DraftBody } from "@/api/schema";
import { discardDraft, fetchEdited, putDraft, restoreToDraft } from "@/features/editor/queries";

/** Make a version the draft. Return the function that takes it back, unless the draft has changed since. */
export async function restoreIntoDraft(flowId: string, number: number): Promise<() => Promise<unknown>> {
  const before = await fetchEdited(flowId);
  const { etag } = await restoreToDraft(flowId, number, before.etag);
  const former = { document: before.document, base_version: before.baseVersion } as DraftBody;
  return before.etag === null ? () => discardDraft(flowId, etag) : () => putDraft(flowId, former, etag);
}
