import { createHmac } from 'node:crypto';
import type { Tables } from '../storage/tables.ts';

export type ChainEntry = Tables['audit_entries'];
export type Head = Tables['audit_heads'];

/** The previous hash of the first entry in a chain. */
export const FIRST_HASH = '0'.repeat(64);

/**
 * Returns the entry with its hash, which is computed from its content and the hash of the previous
 * entry. The hash is keyed, so that write access to the database alone is not enough to forge a
 * valid chain.
 */
export const withHash = (key: Uint8Array, entry: Omit<ChainEntry, 'hash'>): ChainEntry => ({
  ...entry,
  hash: hashOf(key, entry),
});

/**
 * Returns the hash of an entry. The sequence number is not hashed: the previous hash covers the
 * position, so that a moved entry can be distinguished from an altered one.
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

/** Returns the seal, which proves that the chain ended at this entry. */
export const sealOf = (key: Uint8Array, { tenant_id, sequence, hash }: Omit<Head, 'seal'>) =>
  keyedHash(key, ['head', tenant_id, sequence, hash]);

export const isSealed = (key: Uint8Array, head: Head): boolean => head.seal === sealOf(key, head);

/**
 * Returns a keyed hash. The purpose comes first, so that a hash for one purpose is never valid for
 * another.
 */
export const keyedHash = (
  key: Uint8Array,
  parts: readonly [purpose: string, ...(string | number | null)[]],
): string => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
