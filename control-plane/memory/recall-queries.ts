import type { Db } from '../storage/open.ts';

export interface FactScope {
  tenantId: string;
  scope_key: string;
  slot_name: string | undefined;
}

/** Returns the facts of one scope with their embeddings, newest first, with ids below `before`. */
export function factsBefore(
  db: Db,
  { tenantId, scope_key, slot_name }: FactScope,
  before: string | undefined,
  limit: number,
) {
  let facts = db
    .selectFrom('memory_slots')
    .select(['id', 'importance', 'tags', 'embedding'])
    .where('tenant_id', '=', tenantId)
    .where('scope_key', '=', scope_key)
    .where('type', '=', 'semantic');
  if (slot_name) facts = facts.where('slot_name', '=', slot_name);
  if (before) facts = facts.where('id', '<', before);
  return facts.orderBy('id', 'desc').limit(limit).$narrowType<NoNulls>().execute();
}

/** The columns that are not null for facts. */
interface NoNulls {
  importance: number;
  embedding: Uint8Array;
}
