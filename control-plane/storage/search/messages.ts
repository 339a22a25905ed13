/** What the indexing thread is told. */
export type ToIndexer =
  | { kind: 'wake' }
  | { kind: 'catch-up'; id: number; tenantId: string; withinMs: number }
  | { kind: 'close' };

/** What it tells. */
export type FromIndexer =
  | { kind: 'caught-up'; id: number; complete: boolean }
  /** On SQLite: calls up to this id can be found; `isAll` when there are no others. */
  | { kind: 'indexed'; lastId: number; isAll: boolean }
  | { kind: 'problem'; line: string };
