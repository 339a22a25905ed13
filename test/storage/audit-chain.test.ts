import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOf, sealOf } from '#control-plane/audit/chain.ts';
import { findHead } from '#control-plane/audit/queries.ts';
import type { Db } from '#control-plane/storage/open.ts';
import { readAnchor, verifyLogs } from '#control-plane/audit/verify/verify-logs.ts';
import { deriveSecrets } from '#control-plane/lib/derived-keys.ts';
import {
  appendMany,
  auditKey,
  type AuditedService,
  SECRET_KEY,
  startAudited,
} from '../support/audit-log.ts';
import { databases } from '../support/databases.ts';
import { root } from '../support/processes.ts';

const TENANT = 'tnt_chain';

async function audit(env: Record<string, string>, ...args: string[]) {
  const command = join(root, 'control-plane/audit/command.ts');
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return [code, output];
}

const optionsOf = (env: Record<string, string>) => ({
  dataDir: env['DATA_DIR'] ?? '',
  databaseUrl: env['DATABASE_URL'],
});

const of = (db: Db, sequence: number) =>
  db.selectFrom('audit_entries').where('tenant_id', '=', TENANT).where('sequence', '=', sequence);

const read = (db: Db, sequence: number) => of(db, sequence).selectAll().executeTakeFirstOrThrow();

const change = (db: Db, sequence: number, to: object) =>
  db
    .updateTable('audit_entries')
    .set(to)
    .where('tenant_id', '=', TENANT)
    .where('sequence', '=', sequence)
    .execute();

const remove = (db: Db, from: number, to: number) =>
  db
    .deleteFrom('audit_entries')
    .where('tenant_id', '=', TENANT)
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .execute();

const setHead = (db: Db, to: object) =>
  db.updateTable('audit_heads').set(to).where('tenant_id', '=', TENANT).execute();

/**
 * Changes that an attacker with write access to the database makes to ten entries, with the
 * expected result of the verification.
 */
const tampering: [string, (db: Db) => Promise<unknown>, RegExp][] = [
  [
    'nothing',
    () => Promise.resolve(),
    /^tnt_chain: 10 entries, unbroken, anchor tnt_chain:10:\w+$/,
  ],
  ...['actor_id', 'action', 'resource_id', 'metadata', 'ip', 'id', 'hash', 'previous_hash'].map(
    (column): (typeof tampering)[number] => [
      `another ${column}`,
      (db) => change(db, 4, { [column]: 'forged' }),
      /^tnt_chain: BROKEN at entry 4 \(\w+\): it was altered$/,
    ],
  ),
  [
    'another time',
    async (db) => change(db, 4, { created_at: (await read(db, 4)).created_at + 1 }),
    /^tnt_chain: BROKEN at entry 4 \(aud_00000004\): it was altered$/,
  ],
  [
    'a change with a hash that fits, but for the key',
    async (db) => {
      const forged = { ...(await read(db, 4)), actor_id: 'key_2' };
      const hash = hashOf(Buffer.from('not the key'), forged);
      await change(db, 4, { actor_id: 'key_2', hash });
      await change(db, 5, { previous_hash: hash });
    },
    /^tnt_chain: BROKEN at entry 4 \(aud_00000004\): it was altered$/,
  ],
  ['an entry less', (db) => remove(db, 5, 5), /^tnt_chain: BROKEN at entry 5: it is missing$/],
  ['no first entry', (db) => remove(db, 1, 1), /^tnt_chain: BROKEN at entry 1: it is missing$/],
  [
    'an entry less, and the others moved up',
    async (db) => {
      await remove(db, 5, 5);
      for (let at = 6; at <= 10; at += 1) await change(db, at, { sequence: at - 1 });
    },
    /^tnt_chain: BROKEN at entry 5: it is missing$/,
  ],
  [
    'two entries in each other’s place',
    async (db) => {
      await change(db, 3, { sequence: 99 });
      await change(db, 7, { sequence: 3 });
      await change(db, 99, { sequence: 7 });
    },
    /^tnt_chain: BROKEN at entry 3 \(aud_00000007\): it was moved here from another position$/,
  ],
  [
    'an entry twice',
    async (db) => {
      await db
        .insertInto('audit_entries')
        .values({ ...(await read(db, 2)), sequence: 11 })
        .execute();
    },
    /^tnt_chain: BROKEN at entry 11 \(aud_00000002\): it was moved here from another position$/,
  ],
  [
    'no end',
    (db) => remove(db, 8, 10),
    /^tnt_chain: BROKEN at entry 8: the log was truncated here$/,
  ],
  [
    'no end, and a head that says so',
    async (db) => {
      await remove(db, 8, 10);
      await setHead(db, { sequence: 7, hash: (await read(db, 7)).hash });
    },
    /^tnt_chain: BROKEN after entry 7: the record of where the log ends was altered$/,
  ],
  [
    'no end, and no head',
    async (db) => {
      await remove(db, 8, 10);
      await db.deleteFrom('audit_heads').where('tenant_id', '=', TENANT).execute();
    },
    /^tnt_chain: BROKEN after entry 7: the record of where the log ends was altered$/,
  ],
  [
    'no entries at all',
    (db) => remove(db, 1, 10),
    /^tnt_chain: BROKEN at entry 1: the log was truncated here$/,
  ],
  [
    'an entry of another tenant',
    (db) => change(db, 6, { tenant_id: 'tnt_elsewhere' }),
    /^tnt_chain: BROKEN at entry 6: it is missing$/,
  ],
];

describe.each(databases)('the chain of the audit log on %s', (kind) => {
  let service: AuditedService;
  let db: Db;
  beforeAll(async () => {
    service = await startAudited(kind);
    ({ db } = service.storage);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    for (const table of ['audit_entries', 'audit_heads'] as const)
      await db.deleteFrom(table).where('tenant_id', 'in', [TENANT, 'tnt_elsewhere']).execute();
    await appendMany(
      service.storage,
      TENANT,
      Array.from({ length: 10 }, () => ({})),
    );
  });

  const verify = async (...anchors: string[]) => {
    const results = verifyLogs(
      { ...optionsOf(service.env), onProblem: () => undefined },
      deriveSecrets(SECRET_KEY),
      { tenant: TENANT, anchors: anchors.map(readAnchor) },
    );
    return Array.fromAsync(results, ({ line }) => line);
  };

  test.each(tampering)('%s', async (_what, tamper, line) => {
    await tamper(db);
    expect(await verify()).toEqual([expect.stringMatching(line)]);
  });

  test('the command reports it and fails', async () => {
    await change(db, 4, { actor_id: 'forged' });
    const [code, output] = await audit(service.env, 'verify');
    const lines = String(output).trim().split('\n');
    expect([code, lines.length]).toEqual([1, 2]);
    expect(lines).toContain('tnt_chain: BROKEN at entry 4 (aud_00000004): it was altered');
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^${service.tenantId}: \\d+ entries, unbroken`)),
    );
  });

  test('a tenant whose log is missing, with all evidence of it, counts as broken', async () => {
    const of = ['tenant_id', '=', service.tenantId] as const;
    const entries = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where(...of)
      .execute();
    const head = await findHead(db, service.tenantId);
    for (const table of ['audit_entries', 'audit_heads'] as const)
      await db
        .deleteFrom(table)
        .where(...of)
        .execute();
    expect(await audit(service.env, 'verify', '--tenant', service.tenantId)).toEqual([
      1,
      `${service.tenantId}: BROKEN: all entries are missing\n`,
    ]);
    await db.insertInto('audit_entries').values(entries).execute();
    if (head) await db.insertInto('audit_heads').values(head).execute();
  });

  test('removed entries are still detected after more are written', async () => {
    const { tenantId: tenant_id } = service;
    const write = () =>
      service.byKey.costs.putModelCost({
        params: { model_id: 'm' },
        body: { input_cost_per_million: 1, output_cost_per_million: 1 },
      });
    await write();
    const { sequence } = (await findHead(db, tenant_id)) ?? { sequence: 0 };
    await write();
    const entries = db.selectFrom('audit_entries').where('tenant_id', '=', tenant_id);
    const last = await entries
      .select('hash')
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow();
    await db
      .deleteFrom('audit_entries')
      .where('tenant_id', '=', tenant_id)
      .where('sequence', '>', sequence)
      .execute();
    await db
      .updateTable('audit_heads')
      .set({ sequence, ...last })
      .where('tenant_id', '=', tenant_id)
      .execute();
    await write();
    await write();
    expect(await audit(service.env, 'verify', '--tenant', tenant_id)).toEqual([
      1,
      `${tenant_id}: BROKEN after entry ${sequence + 2}: the record of where the log ends was altered\n`,
    ]);
    const repaired = await findHead(db, tenant_id);
    if (repaired)
      await db
        .updateTable('audit_heads')
        .set({ seal: sealOf(auditKey, repaired) })
        .where('tenant_id', '=', tenant_id)
        .execute();
  });

  test('a log that was rolled back is detected with an externally stored anchor', async () => {
    const before = await findHead(db, TENANT);
    await appendMany(service.storage, TENANT, [{}, {}]);
    const [line = ''] = await verify();
    const anchor = /anchor (\S+)/.exec(line)?.[1] ?? '';
    await remove(db, 11, 12);
    await setHead(db, before ?? {});
    expect(await verify()).toEqual([expect.stringMatching(/10 entries, unbroken/)]);
    expect(await verify(anchor)).toEqual([
      expect.stringMatching(/10 entries, unbroken/),
      expect.stringMatching(/^tnt_chain: BROKEN at entry 12: .*rolled back$/),
    ]);
    const args = ['verify', '--tenant', TENANT, '--anchor', anchor];
    expect(await audit(service.env, ...args)).toEqual([1, expect.stringMatching(/rolled back\n$/)]);
  });

  test('fifty concurrent administrative writes add fifty entries to one chain', async () => {
    const { count, ...first } = await service.byKey.audit.listAuditEntries({ query: { limit: 1 } });
    const write = (n: number) =>
      service.byKey.costs.putModelCost({
        params: { model_id: `at-once-${n}` },
        body: { input_cost_per_million: n, output_cost_per_million: n },
      });
    const record = async () => {
      const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'a' } });
      return service.byKey.recording.completeRun({ params: { run_id }, body: {} });
    };
    const both = Array.from({ length: 50 }, (_, n) => [write(n), record()]).flat();
    expect((await Promise.allSettled(both)).filter(({ status }) => status === 'rejected')).toEqual(
      [],
    );
    const after = await service.byKey.audit.listAuditEntries({ query: { limit: 50 } });
    expect(after.count).toBe(count + 50);
    const last = first.entries[0]?.sequence ?? 0;
    expect(after.entries.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => last + n + 1),
    );
    expect(new Set(after.entries.map(({ resource_id }) => resource_id)).size).toBe(50);
    expect(await audit(service.env, 'verify', '--tenant', service.tenantId)).toEqual([
      0,
      expect.stringMatching(/entries, unbroken/),
    ]);
  });

  test('every tenant has a line, also while the control plane runs', async () => {
    const [code, output] = await audit(service.env, 'verify');
    expect([code, String(output).trim().split('\n').length]).toEqual([0, 2]);
  });

  test('a different key is reported instead of a broken log', async () => {
    const env = { ...service.env, SECRET_KEY: 'x'.repeat(40) };
    expect(await audit(env, 'verify')).toEqual([
      1,
      expect.stringMatching(/^audit: SECRET_KEY: not the key that this database was created with/),
    ]);
  });
});

test.each([
  [[], /^usage: /],
  [['check'], /^usage: /],
  [['verify', '--since', 'x'], /^Unknown option '--since'/],
  [['verify', '--anchor', 'x'], /^--anchor x: expected /],
  [['verify'], /^audit: DATA_DIR=\/nowhere: there is no database in this folder\n$/],
])('audit %j is rejected', async (args, line) => {
  expect(await audit({ DATA_DIR: '/nowhere' }, ...args)).toEqual([1, expect.stringMatching(line)]);
});
