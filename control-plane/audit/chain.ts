import { createHmac } from 'node:crypto';
import type { Tables } from '../storage/tables.ts';

type Entry = Tables['audit_entries'];

/** What the first entry of a chain has before it. */
export const FIRST_HASH = '0'.repeat(64);

/**
 * An entry with the hash of all that it says and of the entry before it. The hash is keyed: whoever
 * can write to the database alone cannot make a chain that holds.
 */
export const chained = (key: Uint8Array, entry: Omit<Entry, 'hash'>): Entry => ({
  ...entry,
  hash: hashOf(key, entry),
});

export const hashOf = (key: Uint8Array, entry: Omit<Entry, 'hash'>): string =>
  createHmac('sha256', key)
    .update(
      JSON.stringify([
        entry.previous_hash,
        entry.tenant_id,
        entry.sequence,
        entry.id,
        entry.actor_type,
        entry.actor_id,
        entry.action,
        entry.resource_type,
        entry.resource_id,
        entry.metadata,
        entry.ip,
        entry.created_at,
      ]),
    )
    .digest('hex');
