import { ApiError } from "@/api/errors";
import type { Condition, DocumentBody, ProjectView } from "@/api/schema";
import type { FlowDocument } from "@/features/editor/document";
import { type EditedFlow, fetchEdited, saveDraft } from "@/features/editor/queries";
import { updateFlow } from "@/features/flows/queries";

export interface Targeting {
  percentage: number;
  conditions: Condition[];
}

/** Another editor has saved another targeting since the flow was fetched. */
export class TargetingConflict extends ApiError {
  constructor(
    error: ApiError,
    readonly theirs: EditedFlow,
  ) {
    super(error.message, error.status, error.code, error.details, error.requestId);
  }
}

/** The version of a flow that an editor has read. It is kept with unsaved changes of the targeting. */
export interface SeenFlow {
  etag: string | null;
  liveEtag: string | null;
  baseVersion: number;
  targeting: Targeting;
}

/** Return the version of a flow that its editor has read. */
export function seenOf(edited: EditedFlow): SeenFlow {
  const { etag, liveEtag, baseVersion } = edited;
  return { etag, liveEtag, baseVersion, targeting: targetingOf(edited) };
}

/** Return whether another editor has saved another targeting since a flow was seen. */
export function isChanged(seen: SeenFlow, newest: EditedFlow): boolean {
  return !isEqual(seen.targeting, targetingOf(newest));
}

/** Return whether changes of a flow go into its draft: it has one, or the project refuses direct writes. */
export function savesIntoDraft(edited: EditedFlow, { settings }: Pick<ProjectView, "settings">): boolean {
  return edited.etag !== null || settings.direct_writes === "refused" || settings.required_approvals > 0;
}

/** Return the targeting that an editor of a flow sees: that of its draft, or else the live one. */
export function targetingOf({ document }: EditedFlow): Targeting {
  return document.targeting as Targeting;
}

/** Return a document as the body of a request; the service has all of its screens. */
export function bodyOf(document: FlowDocument): DocumentBody {
  return document as DocumentBody;
}

/**
 * Save the targeting of a flow, in its draft or at once. Other changes of the flow stay: where the targeting is still
 * the one that was seen, the newest flow is taken. Throw `TargetingConflict` where it is not.
 */
export async function saveTargeting(
  edited: EditedFlow,
  seen: SeenFlow,
  intoDraft: boolean,
  targeting: Targeting,
): Promise<void> {
  const { etag, liveEtag, baseVersion } = seen;
  try {
    await send({ ...edited, etag, liveEtag, baseVersion }, intoDraft, targeting);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 412)) {
      throw error;
    }
    const theirs = await fetchEdited(edited.flow.id);
    if (isChanged(seen, theirs)) {
      throw new TargetingConflict(error, theirs);
    }
    await send(theirs, intoDraft, targeting);
  }
}

async function send(edited: EditedFlow, intoDraft: boolean, targeting: Targeting): Promise<void> {
  if (intoDraft) {
    const document = bodyOf({ ...edited.document, targeting: { ...targeting } });
    await saveDraft(edited, { document, base_version: edited.baseVersion });
  } else {
    await updateFlow(edited.flow.id, { targeting }, edited.liveEtag);
  }
}

function isEqual(first: Targeting, second: Targeting): boolean {
  const text = ({ percentage, conditions }: Targeting) => JSON.stringify([percentage, conditions]);
  return text(first) === text(second);
}
