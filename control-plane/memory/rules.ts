import type { EpisodicWrite, SemanticWrite } from '#contract/memory-slot.ts';

/** Returns the identity that all writes to one slot share. */
export const episodicName = ({ scope_key, slot_name }: EpisodicWrite): string =>
  JSON.stringify(['episodic', scope_key, slot_name]);

export const factName = ({ scope_key, slot_name, fact_key }: SemanticWrite): string | null =>
  fact_key ? JSON.stringify(['semantic', scope_key, slot_name, fact_key]) : null;

const PREVIEW_LENGTH = 200;

/**
 * Returns the beginning of a text. Truncation may split a surrogate pair, which could not be
 * stored.
 */
export const previewOf = (text: string): string => text.slice(0, PREVIEW_LENGTH).toWellFormed();

/** Returns the items that a write appends to a list: those of an array, or the value itself. */
export const itemsOf = (data: unknown): unknown[] => (Array.isArray(data) ? data : [data]);

export interface ListState {
  item_count: number;
  /** The number of items ever appended, which is also the position of the newest. */
  appended: number;
}

export interface Append extends ListState {
  /** The number of new items that are stored, which are the last ones. */
  stored: number;
  /** The lowest remaining position. */
  oldest: number;
}

/** Returns the list after `added` items are appended and only the newest `maxItems` are kept. */
export function append(list: ListState, added: number, maxItems: number): Append {
  const appended = list.appended + added;
  const item_count = Math.min(list.item_count + added, maxItems);
  return {
    appended,
    item_count,
    stored: Math.min(added, maxItems),
    oldest: appended - item_count + 1,
  };
}

export const isExpired = (slot: { expires_at: number | null }, now: number): boolean =>
  slot.expires_at !== null && slot.expires_at <= now;
