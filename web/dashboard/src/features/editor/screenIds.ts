import type { DocumentBody, ScreenType } from "@/api/schema";
import type { FlowDocument } from "./document";
import type { EditedFlow } from "./queries";

/**
 * The ids of screens in the editor and in the service. A new screen keeps the id of the editor while it is edited, so
 * that neither the selection nor the history changes when the service gives it an id.
 */
export class ScreenIds {
  private readonly serviceIds = new Map<string, string>();
  private live: ReadonlySet<string> = new Set();
  private draft: ReadonlySet<string> = new Set();

  constructor(flow: EditedFlow) {
    this.load(flow);
  }

  /** Set the ids of the live flow and of its draft. The service accepts no others. */
  load(flow: EditedFlow): void {
    this.live = new Set(flow.liveScreens);
    this.draft = idsOf(flow.document);
  }

  /** Return the body of a save. Screens that the service does not have are sent without an id. */
  toBody(document: FlowDocument): DocumentBody {
    return {
      ...document,
      targeting: document.targeting as DocumentBody["targeting"],
      screens: document.screens.map(({ id, type, ...screen }) => {
        const sent = this.serviceId(id);
        const isKnown = this.live.has(sent) || this.draft.has(sent);
        return { ...screen, type: type as ScreenType, ...(isKnown ? { id: sent } : {}) };
      }),
    };
  }

  /** Record the ids of a stored document, whose screens are in the order of the sent one. */
  addStored(sent: FlowDocument, stored: FlowDocument): void {
    for (const [place, screen] of stored.screens.entries()) {
      const local = sent.screens[place];
      if (local && local.id !== screen.id) {
        this.serviceIds.set(local.id, screen.id);
      }
    }
    this.draft = idsOf(stored);
  }

  /** Return the id in the editor of a screen of the service. */
  editorId(id: string): string {
    for (const [local, given] of this.serviceIds) {
      if (given === id) {
        return local;
      }
    }
    return id;
  }

  private serviceId(id: string): string {
    return this.serviceIds.get(id) ?? id;
  }
}

function idsOf(document: FlowDocument): Set<string> {
  return new Set(document.screens.map(({ id }) => id));
}
