import { expect, test } from 'vitest';
import * as locks from './locks.ts';
import type { Tx } from './transaction.ts';

test('locks keep their names, so that processes of two versions exclude each other', () => {
  expect([
    locks.tenantQuotasLock,
    locks.usersLock('tnt_1'),
    locks.signInLock('192.0.2.1'),
    locks.apiKeyLock('key_1'),
    locks.deviceLock('tnt_1', 'serial'),
    locks.authoritiesLock('tnt_1'),
    locks.settingsLock('tnt_1'),
    locks.policyLock('tnt_1', 'pol_1'),
    locks.subjectLock({ tenant_id: 'tnt_1', subject: 'agent a' }),
    locks.approvalLock({ tenant_id: 'tnt_1' }),
    locks.evaluationsLock('tnt_1', 7),
    locks.incidentsLock('tnt_1', 'pol_1', 'a'),
    locks.inventoryLock('tnt_1'),
    locks.scanLock('dev_1'),
    locks.slotLock('tnt_1', 'slot'),
    locks.traceMaintenanceLock('tnt_1'),
    locks.codingCounterLock('tnt_1'),
    locks.recomputeLock('tnt_1'),
    locks.promptUsageLock('tnt_1'),
    locks.retentionLock('tnt_1'),
    locks.searchLock('tnt_1'),
    locks.auditLock('tnt_1'),
    locks.developmentHistoryLock,
  ]).toEqual([
    'sub-tenants',
    'users tnt_1',
    'sign-in 192.0.2.1',
    'API key key_1',
    'device tnt_1 serial',
    'authorities tnt_1',
    'settings tnt_1',
    'policy tnt_1 pol_1',
    'policy subject tnt_1 agent a',
    'approval {"tenant_id":"tnt_1"}',
    'evaluations tnt_1 7',
    'incident tnt_1 pol_1 a',
    'inventory of tnt_1',
    'scan of dev_1',
    'memory tnt_1 slot',
    'otel tnt_1',
    'coding agents tnt_1',
    'recompute tnt_1',
    'prompts tnt_1',
    'retention tnt_1',
    'search tnt_1',
    'audit tnt_1',
    'development history',
  ]);
});

test('a transaction accepts no other text as the name of a lock', async () => {
  const taken: string[] = [];
  const tx: Pick<Tx, 'lock'> = { lock: async (...names) => void taken.push(...names) };
  // @ts-expect-error: a plain string is not a lock name; the compiler must refuse it
  await tx.lock('users tnt_1');
  await tx.lock(locks.usersLock('tnt_1'));
  expect(taken).toEqual(['users tnt_1', 'users tnt_1']);
});
