import type { Tagged } from "@/api/responses";

/** A draft as the service has stored it. */
interface SavedDraft<Document> {
  document: Document;
  live_version: number;
  updated_at: string;
  updated_by: string;
}

type DraftOf<Document> = { document: Document; base_version: number };

export interface DraftServer<Document, Read> {
  read(): Promise<Read>;
  /** Store a draft if the service still has the one of `before`. `isLast`: the page ends, the request must not. */
  save(before: Read, body: DraftOf<Document>, isLast: boolean): Promise<Tagged<SavedDraft<Document>>>;
}
