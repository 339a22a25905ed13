/** Messages to the indexing thread. */
export type ToIndexer =
  | { kind: 'wake' }
  | { kind: 'catch-up'; id: number; tenantId: string; withinMs: number }
  | { kind: 'close' };

/** Messages from the indexing thread. */
export type FromIndexer =
  | { kind: 'caught-up'; id: number; complete: boolean }
  /** On SQLite: calls up to this id are indexed; `isAll` if there are no others. */
  | { kind: 'indexed'; lastId: number; isAll: boolean }
  | { kind: 'problem'; message: string };
