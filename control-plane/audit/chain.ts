import { createHmac } from 'node:crypto';
import type { Tables } from '../storage/tables.ts';

export type ChainEntry = Tables['audit_entries'];
export type Head = Tables['audit_heads'];

/** Previous hash of the first entry in a chain. */
export const FIRST_HASH = '0'.repeat(64);

/**
 * Returns the entry with its hash, computed over its content and the previous entry's hash. The
 * hash is keyed: write access to the database alone is not enough to forge a valid chain.
 */
export const chained = (key: Uint8Array, entry: Omit<ChainEntry, 'hash'>): ChainEntry => ({
  ...entry,
  hash: hashOf(key, entry),
});

/**
 * The sequence number is not hashed: the position is covered by the previous hash, so a moved entry
 * can be distinguished from an altered one.
 */
export const hashOf = (key: Uint8Array, entry: Omit<ChainEntry, 'hash'>): string =>
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

/** Proves that the chain ended at this entry. */
export const sealOf = (key: Uint8Array, { tenant_id, sequence, hash }: Omit<Head, 'seal'>) =>
  keyedHash(key, ['head', tenant_id, sequence, hash]);

export const isSealed = (key: Uint8Array, head: Head): boolean => head.seal === sealOf(key, head);

/** The purpose comes first: a hash made for one purpose is never valid for another. */
export const keyedHash = (
  key: Uint8Array,
  parts: readonly [purpose: string, ...(string | number | null)[]],
): string => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
