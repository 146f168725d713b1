import { ApiError } from "@/api/errors";
import type { DraftView, FlowViewWithContent } from "@/api/schema";
import type { FlowDocument } from "@/features/editor/document";
import type { DraftServer } from "@/features/editor/draft/draftServer";
import { DraftStore, type Notice } from "@/features/editor/draft/draftStore";
import { KeptDrafts } from "@/features/editor/draft/keptDrafts";
import { merge } from "@/features/editor/draft/merge";
import type { EditedFlow } from "@/features/editor/queries";

type Fault = "lose request" | "lose response" | "double" | "reject";

/** Return a document with one screen. */
export function draftServiceDocument(content: Record<string, unknown>): FlowDocument {
  const targeting = { percentage: 100, conditions: [] };
  const screens = [{ id: "screen_1", type: "welcome", name: null, content, settings: {} }];
  return { name: "Tour", description: null, theme_id: null, targeting, screens };
}

/** The service of drafts in memory, with the faults of networks. A fault holds for one save. */
export class DraftService {
  delay = 0;
  isOnline = true;
  fault: Fault | null = null;
  saves = 0;
  rejected = 0;
  /** The requests of a page that ends. */
  lastRequests = 0;
  /** The most requests of one editor that were under way at once. */
  mostAtOnce = 0;
  /** The keys of the editors that are open. */
  readonly open = new Set<string>();
  normalize = (document: FlowDocument) => document;
  private draft: FlowDocument | null = null;
  private tag = 0;
  private savedBy: string | null = null;

  constructor(private readonly live: FlowDocument) {}

  get document(): FlowDocument {
    return this.draft ?? this.live;
  }

  saveAs(user: string, change: (document: FlowDocument) => FlowDocument): void {
    this.draft = this.normalize(structuredClone(change(this.document)));
    this.tag += 1;
    this.savedBy = user;
    this.saves += 1;
  }

  discard(): void {
    this.draft = null;
    this.savedBy = null;
  }

  /** Return the connection of one editor of a user. */
  connect(user: string): DraftServer<FlowDocument, EditedFlow> {
    let running = 0;
    const request = async <Result>(respond: () => Result): Promise<Result> => {
      running += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, running);
      try {
        await this.travel();
        const result = respond();
        await this.travel();
        return result;
      } finally {
        running -= 1;
      }
    };
    return {
      read: () => request(() => this.read()),
      save: (before, body, isLast) => {
        const fault = this.fault;
        this.fault = null;
        this.lastRequests += isLast ? 1 : 0;
        const sent = structuredClone(body.document) as FlowDocument;
        const tag = before.etag;
        return request(() => {
          if (fault === "lose request") {
            throw new TypeError("Failed to fetch");
          }
          const result = this.save(user, tag, sent, fault === "reject");
          if (fault === "double") {
            this.save(user, tag, sent, false);
          }
          if (fault === "lose response") {
            throw new TypeError("Failed to fetch");
          }
          return result;
        });
      },
    };
  }

  private save(user: string, tag: string | null, sent: FlowDocument, isRejected: boolean) {
    if (isRejected) {
      const details = [{ field: "document.screens.0.content", code: "INVALID_PARAMETER" as const, message: "is bad" }];
      throw new ApiError("Bad", 400, "INVALID_PARAMETER", details, null);
    }
    if (tag !== this.etag) {
      this.rejected += 1;
      throw new ApiError("Changed", 412, "PRECONDITION_FAILED", [], null);
    }
    this.saveAs(user, () => sent);
    const data = { document: structuredClone(this.document), updated_by: user, live_version: 1 } as DraftView;
    return { data, etag: this.etag };
  }

  private get etag(): string | null {
    return this.draft === null ? null : `"${this.tag}"`;
  }

  private read(): EditedFlow {
    const { etag, savedBy } = this;
    const document = structuredClone(this.document);
    const flow = { ...structuredClone(this.live), id: "flow_1", status: "active" } as unknown as FlowViewWithContent;
    return { flow, document, etag, baseVersion: 1, liveVersion: 1, savedBy, savedAt: null };
  }

  private async travel(): Promise<void> {
    if (!this.isOnline) {
      throw new TypeError("Failed to fetch");
    }
    if (this.delay > 0) {
      await new Promise((resolve) => setTimeout(resolve, this.delay / 2));
    }
  }
}

/** Open an editor of the flow; `close` ends its page without a word. */
export async function openTab(service: DraftService, user = "user_1") {
  const connection = service.connect(user);
  const kept = new KeptDrafts<FlowDocument>(`draft:${user}:flow_1:`, localStorage, service.open);
  service.open.add(kept.key);
  const notices: Notice[] = [];
  let isOpen = true;
  const forever = new Promise<never>(() => undefined);
  const whileOpen = <Result>(result: Promise<Result>): Promise<Result> =>
    result.then(
      (value) => (isOpen ? value : forever),
      (error) => (isOpen ? Promise.reject(error) : forever),
    );
  const server: DraftServer<FlowDocument, EditedFlow> = {
    read: () => (isOpen ? whileOpen(connection.read()) : forever),
    save: (...request) => (isOpen ? whileOpen(connection.save(...request)) : forever),
  };
  const delay = service.delay;
  service.delay = 0;
  const read = await connection.read();
  service.delay = delay;
  const store = new DraftStore(read, { server, merge, user, kept, onNotice: (notice) => notices.push(notice) });
  const close = () => {
    isOpen = false;
    service.open.delete(kept.key);
    kept.write = () => undefined;
  };
  return { store, notices, close };
}
