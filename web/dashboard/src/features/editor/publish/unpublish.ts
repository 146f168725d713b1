import type { Tagged } from "@/api/responses";
import type { DraftBody, VersionWithDocument } from "@/api/schema";
import { putDraft, restoreLive } from "../queries";

/**
 * Make the version before a publication live again, unless another one is live by now. What was published becomes the
 * draft again, unless there is a new one.
 */
export async function unpublish(flowId: string, { data, etag }: Tagged<VersionWithDocument>): Promise<void> {
  const restored = await restoreLive(flowId, data.number - 1, etag);
  const draft = { document: data.document as DraftBody["document"], base_version: restored.data.number };
  // The content that was published is kept as a version in any case.
  await putDraft(flowId, draft, null).catch(() => undefined);
}
