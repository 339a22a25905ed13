import type { Db } from '../storage/open.ts';
import { countWithin } from '../storage/fitting.ts';
import { LISTED_BYTES } from '../storage/listed.ts';
import {
  findContents,
  listItems,
  listItemsOf,
  listItemSizes,
  type SlotSummary,
} from './queries.ts';

/** An answer holds about this much content, whatever was stored. */
const ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * The first of these slots, as many as one answer takes, with what they hold; of lists without
 * their `skip` newest items.
 */
export async function withContents<S extends SlotSummary>(
  db: Db,
  tenantId: string,
  slots: readonly S[],
  skip = 0,
) {
  const sizes = slots.map(({ size_bytes }) => size_bytes);
  const shown = slots.slice(0, countWithin(sizes, ANSWER_BYTES));
  const contents = await findContents(
    db,
    tenantId,
    shown.map(({ id }) => id),
  );
  const results = [];
  for (const slot of shown) {
    const { content = null, metadata = null, data = null } = contents.get(slot.id) ?? {};
    const held =
      slot.memory_type === 'list'
        ? await itemsOf(db, { tenantId, id: slot.id }, skip)
        : { data: parsed(data), truncated: false };
    results.push({ ...slot, content, metadata, ...held });
  }
  return results;
}

/** Slots as a list shows them: with what they hold where it is short. */
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
    const held = contents.get(slot.id);
    if (!held) return { ...slot, data: null, content: null, metadata: null, truncated: true };
    const { data, ...rest } = held;
    const value =
      slot.memory_type === 'list'
        ? (items.get(slot.id) ?? []).map((text) => JSON.parse(text) as unknown)
        : parsed(data);
    return { ...slot, ...rest, data: value, truncated: false };
  });
}

const parsed = (json: string | null): unknown =>
  json === null ? null : (JSON.parse(json) as unknown);

/** The newest items of a list after `skip`, as many as one answer takes, oldest first. */
async function itemsOf(
  db: Db,
  key: { tenantId: string; id: string },
  skip: number,
): Promise<{ data: unknown[]; truncated: boolean }> {
  const items = await listItemSizes(db, key, skip);
  const shown = items.slice(
    0,
    countWithin(
      items.map(({ size_bytes }) => size_bytes),
      ANSWER_BYTES,
    ),
  );
  const [newest, oldest] = [shown[0], shown.at(-1)];
  if (!newest || !oldest) return { data: [], truncated: false };
  const texts = await listItems(db, key, { from: oldest.position, to: newest.position });
  return {
    data: texts.map((text) => JSON.parse(text) as unknown),
    truncated: shown.length < items.length,
  };
}
