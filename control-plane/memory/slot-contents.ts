import type { Db } from '../storage/open.ts';
import { countWithin } from '../storage/bounded-count.ts';
import { LISTED_BYTES } from '../storage/list-columns.ts';
import {
  findContents,
  listItems,
  listItemsOf,
  listItemSizes,
  type SlotSummary,
} from './queries.ts';

/** The approximate maximum content size of one response. */
const RESPONSE_BYTES = 4 * 1024 * 1024;

/**
 * Returns the first slots with their content, as many as fit into one response. Lists omit their
 * `skip` newest items.
 */
export async function withContents<S extends SlotSummary>(
  db: Db,
  tenantId: string,
  slots: readonly S[],
  skip = 0,
) {
  const sizes = slots.map(({ size_bytes }) => size_bytes);
  const included = slots.slice(0, countWithin(sizes, RESPONSE_BYTES));
  const contents = await findContents(
    db,
    tenantId,
    included.map(({ id }) => id),
  );
  const results = [];
  for (const slot of included) {
    const { content = null, metadata = null, data = null } = contents.get(slot.id) ?? {};
    const payload =
      slot.memory_type === 'list'
        ? await itemsOf(db, { tenantId, id: slot.id }, skip)
        : { data: parsed(data), truncated: false };
    results.push({ ...slot, content, metadata, ...payload });
  }
  return results;
}

/**
 * Returns the list entries of slots. Short contents are included, and others are marked as
 * truncated.
 */
export async function withShortContents<S extends SlotSummary>(
  db: Db,
  tenantId: string,
  slots: readonly S[],
) {
  if (slots.length === 0) return [];
  const short = slots.filter(({ size_bytes }) => size_bytes <= LISTED_BYTES);
  const idsOf = (some: readonly S[]): string[] => some.map(({ id }) => id);
  const contents = await findContents(db, tenantId, idsOf(short));
  const lists = short.filter(({ memory_type }) => memory_type === 'list');
  const items = await listItemsOf(db, tenantId, idsOf(lists));
  return slots.map((slot) => {
    const payload = contents.get(slot.id);
    if (!payload) return { ...slot, data: null, content: null, metadata: null, truncated: true };
    const { data, ...rest } = payload;
    const value =
      slot.memory_type === 'list'
        ? (items.get(slot.id) ?? []).map((text) => JSON.parse(text) as unknown)
        : parsed(data);
    return { ...slot, ...rest, data: value, truncated: false };
  });
}

const parsed = (json: string | null): unknown =>
  json === null ? null : (JSON.parse(json) as unknown);

/**
 * Returns the newest items of a list after `skip`, as many as fit into one response, oldest first.
 */
async function itemsOf(
  db: Db,
  key: { tenantId: string; id: string },
  skip: number,
): Promise<{ data: unknown[]; truncated: boolean }> {
  const items = await listItemSizes(db, key, skip);
  const included = items.slice(
    0,
    countWithin(
      items.map(({ size_bytes }) => size_bytes),
      RESPONSE_BYTES,
    ),
  );
  const [newest, oldest] = [included[0], included.at(-1)];
  if (!newest || !oldest) return { data: [], truncated: false };
  const texts = await listItems(db, key, { from: oldest.position, to: newest.position });
  return {
    data: texts.map((text) => JSON.parse(text) as unknown),
    truncated: included.length < items.length,
  };
}
