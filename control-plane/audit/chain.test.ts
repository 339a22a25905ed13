import { expect, test } from 'vitest';
import { withHash, type ChainEntry, FIRST_HASH, hashOf, isSealed, sealOf } from './chain.ts';

const key = Buffer.from('a key of the audit log');

const entry: Omit<ChainEntry, 'hash'> = {
  tenant_id: 'tnt_1',
  sequence: 7,
  id: 'aud_1',
  actor_type: 'user',
  actor_id: 'usr_1',
  action: 'policy.update',
  resource_type: 'policy',
  resource_id: 'pol_1',
  metadata: '{}',
  ip: '192.0.2.1',
  created_at: 1_700_000_000_000,
  previous_hash: FIRST_HASH,
};

/** Fields that are not hashed. The position of an entry is covered by the previous hash. */
const UNHASHED = ['sequence'];

const altered = (value: string | number | null): string | number =>
  typeof value === 'number' ? value + 1 : `${value}x`;

test.each(Object.keys(entry).filter((column) => !UNHASHED.includes(column)))(
  'a changed %s changes the hash',
  (column) => {
    const changed = { ...entry, [column]: altered(entry[column as keyof typeof entry]) };
    expect(hashOf(key, changed)).not.toBe(hashOf(key, entry));
  },
);

test('moving text between adjacent columns changes the hash', () => {
  const moved = { ...entry, resource_type: 'policyp', resource_id: 'ol_1' };
  expect(hashOf(key, moved)).not.toBe(hashOf(key, entry));
  expect(hashOf(key, { ...entry, ip: null })).not.toBe(hashOf(key, { ...entry, ip: 'null' }));
});

test('hashes and seals cannot be reproduced without the key', () => {
  const otherKey = Buffer.from('another key');
  expect(hashOf(otherKey, entry)).not.toBe(hashOf(key, entry));
  const head = { tenant_id: 'tnt_1', sequence: 7, hash: withHash(key, entry).hash };
  expect(isSealed(key, { ...head, seal: sealOf(key, head) })).toBe(true);
  expect(isSealed(key, { ...head, seal: sealOf(otherKey, head) })).toBe(false);
  expect(isSealed(key, { ...head, seal: '' })).toBe(false);
});

test.each([{ tenant_id: 'tnt_2' }, { sequence: 8 }, { hash: FIRST_HASH }])(
  'a seal is valid only for one head of one log, not with %j',
  (change) => {
    const head = { tenant_id: 'tnt_1', sequence: 7, hash: withHash(key, entry).hash };
    expect(isSealed(key, { ...head, ...change, seal: sealOf(key, head) })).toBe(false);
  },
);
