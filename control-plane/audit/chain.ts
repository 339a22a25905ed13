import { createHmac } from 'node:crypto';
import type { Tables } from '../storage/tables.ts';

export type Entry = Tables['audit_entries'];
export type Head = Tables['audit_heads'];

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

/**
 * The number of an entry is not hashed: where it belongs is said by the hash before it, so one that
 * was moved is told from one that was altered.
 */
export const hashOf = (key: Uint8Array, entry: Omit<Entry, 'hash'>): string =>
  keyedHash(key, [
    'entry',
    entry.previous_hash,
    entry.tenant_id,
    entry.id,
    entry.actor_type,
    entry.actor_id,
    entry.action,
    entry.resource_type,
    entry.resource_id,
    entry.metadata,
    entry.ip,
    entry.created_at,
  ]);

/** Proves that the chain once ended here. */
export const sealOf = (key: Uint8Array, { tenant_id, sequence, hash }: Omit<Head, 'seal'>) =>
  keyedHash(key, ['head', tenant_id, sequence, hash]);

export const isSealed = (key: Uint8Array, head: Head): boolean => head.seal === sealOf(key, head);

/** What the parts are for comes first: a hash made for one purpose never serves another. */
export const keyedHash = (
  key: Uint8Array,
  parts: readonly [purpose: string, ...(string | number | null)[]],
): string => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
