import type { EpisodicWrite, SemanticWrite } from '#contract/memory-slot.ts';

/** The name under which writes of one slot meet; null for a fact that stands for itself. */
export const episodicName = ({ scope_key, slot_name }: EpisodicWrite): string =>
  JSON.stringify(['episodic', scope_key, slot_name]);

export const factName = ({ scope_key, slot_name, fact_key }: SemanticWrite): string | null =>
  fact_key ? JSON.stringify(['semantic', scope_key, slot_name, fact_key]) : null;

/** Whoever changes a slot holds the lock of this name. */
export const lockOf = (tenantId: string, identity: string): string =>
  `memory ${tenantId} ${identity}`;

const PREVIEW_LENGTH = 200;

/** The beginning of a text. A cut may fall within a surrogate pair, which could not be stored. */
export const previewOf = (text: string): string => text.slice(0, PREVIEW_LENGTH).toWellFormed();

/** What a write adds to a list: an array adds its items. */
export const itemsOf = (data: unknown): unknown[] => (Array.isArray(data) ? data : [data]);

export interface ListState {
  item_count: number;
  /** How many items it was ever given. Items have positions, and the newest has this one. */
  appended: number;
}

export interface Append extends ListState {
  /** How many of the new items stay: the last ones. */
  taken: number;
  /** Items with a lower position go. */
  oldest: number;
}

/** What becomes of a list when `added` items come and the newest `maxItems` of all stay. */
export function append(list: ListState, added: number, maxItems: number): Append {
  const appended = list.appended + added;
  const item_count = Math.min(list.item_count + added, maxItems);
  return {
    appended,
    item_count,
    taken: Math.min(added, maxItems),
    oldest: appended - item_count + 1,
  };
}

export const isExpired = (slot: { expires_at: number | null }, now: number): boolean =>
  slot.expires_at !== null && slot.expires_at <= now;
