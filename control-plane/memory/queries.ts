import type { Selectable } from 'kysely';
import { MAX_LIST_ITEMS } from '#contract/memory-slot.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';

const summaryColumns = [
  'id',
  'type',
  'memory_type',
  'scope_key',
  'slot_name',
  'run_id',
  'preview',
  'size_bytes',
  'item_count',
  'max_items',
  'importance',
  'tags',
  'fact_key',
  'source_tool',
  'created_at',
  'updated_at',
  'expires_at',
] as const;

export type SlotSummary = Pick<Selectable<Tables['memory_slots']>, (typeof summaryColumns)[number]>;

/** A filter for slots. Unset and empty fields match all. */
export interface MemoryFilter {
  scope_key?: string | undefined;
  slot_name?: string | undefined;
  type?: 'episodic' | 'semantic' | undefined;
  run_id?: number | undefined;
}

/** Selects the slots that have not expired. Expired ones may not be removed yet. */
export const unexpiredSlots = (db: Db, tenantId: string, now: number) =>
  db
    .selectFrom('memory_slots')
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));

/** Lists slots, newest first. */
export async function listSlots(
  db: Db,
  tenantId: string,
  filter: MemoryFilter & { limit: number; offset: number; now: number },
): Promise<{ rows: SlotSummary[]; count: number }> {
  let slots = unexpiredSlots(db, tenantId, filter.now);
  for (const column of ['scope_key', 'slot_name', 'type', 'run_id'] as const) {
    const value = filter[column];
    if (value) slots = slots.where(column, '=', value);
  }
  const rows = await slots
    .select(summaryColumns)
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows, count: await countOf(slots) };
}

/** Lists the slots that were last written by this run, newest first. */
export function listRunMemory(
  db: Db,
  tenantId: string,
  runId: number,
  { limit, now }: { limit: number; now: number },
): Promise<SlotSummary[]> {
  return unexpiredSlots(db, tenantId, now)
    .select(summaryColumns)
    .where('run_id', '=', runId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export function findSlot(db: Db, tenantId: string, id: string, now: number) {
  return unexpiredSlots(db, tenantId, now)
    .select([...summaryColumns, 'identity'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Finds slots, in no particular order. Expired ones are omitted. */
export function findSlots(db: Db, tenantId: string, ids: readonly string[], now: number) {
  if (ids.length === 0) return Promise.resolve([]);
  return unexpiredSlots(db, tenantId, now).select(summaryColumns).where('id', 'in', ids).execute();
}

/** Finds the content columns by slot, which may be large. */
export async function findContents(db: Db, tenantId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('memory_slots')
    .select(['id', 'content', 'metadata', 'data'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids.length > 0 ? ids : [''])
    .execute();
  return new Map(rows.map(({ id, ...content }) => [id, content]));
}

export interface SlotKey {
  tenantId: string;
  id: string;
}

/** Lists the sizes of items without their data, newest first. */
export function listItemSizes(db: Db, { tenantId, id }: SlotKey, skip: number) {
  return db
    .selectFrom('memory_items')
    .select(['position', 'size_bytes'])
    .where('tenant_id', '=', tenantId)
    .where('slot_id', '=', id)
    .orderBy('position', 'desc')
    .limit(MAX_LIST_ITEMS)
    .offset(skip)
    .execute();
}

/** Returns the items of several lists as JSON, oldest first in each. */
export async function listItemsOf(
  db: Db,
  tenantId: string,
  slotIds: readonly string[],
): Promise<Map<string, string[]>> {
  const items = new Map<string, string[]>(slotIds.map((id) => [id, []]));
  if (slotIds.length === 0) return items;
  const rows = await db
    .selectFrom('memory_items')
    .select(['slot_id', 'data'])
    .where('tenant_id', '=', tenantId)
    .where('slot_id', 'in', slotIds)
    .orderBy('slot_id')
    .orderBy('position')
    .execute();
  for (const { slot_id, data } of rows) items.get(slot_id)?.push(data);
  return items;
}

/** Returns the items from one position to another as JSON, oldest first. */
export async function listItems(
  db: Db,
  { tenantId, id }: SlotKey,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('memory_items')
    .select('data')
    .where('tenant_id', '=', tenantId)
    .where('slot_id', '=', id)
    .where('position', '>=', from)
    .where('position', '<=', to)
    .orderBy('position')
    .execute();
  return rows.map(({ data }) => data);
}
