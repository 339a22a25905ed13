/** What the indexing thread is told. */
export type ToIndexer =
  | { kind: 'wake' }
  | { kind: 'catch-up'; id: number; tenantId: string; withinMs: number }
  | { kind: 'forget'; callIds: readonly number[] }
  | { kind: 'close' };

/** What it tells. */
export type FromIndexer =
  | { kind: 'caught-up'; id: number; complete: boolean }
  | { kind: 'problem'; line: string };
