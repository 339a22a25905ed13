import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Kysely } from 'kysely';
import { listEvaluations } from '#control-plane/policy/evaluation-queries.ts';
import type { Dialect } from '#control-plane/storage/dialect.ts';
import { policyChecks } from '#control-plane/storage/migrations/021-policy-checks.ts';
import { askedPolicies } from '#control-plane/storage/migrations/023-asked-policies.ts';
import { statesBySubject } from '#control-plane/storage/migrations/024-states-by-subject.ts';
import { openStorage } from '#control-plane/storage/open.ts';
import { openPostgres } from '#control-plane/storage/postgres.ts';
import { openSqlite } from '#control-plane/storage/sqlite.ts';
import type { Tables } from '#control-plane/storage/tables.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const onProblem = (line: string) => expect.fail(line);

const answer = {
  tenant_id: 'tnt_1',
  policy_id: 'pol_1',
  policy_name: 'Nights',
  category: 'scheduling',
  phase: 'before_workflow',
  action: 'block',
  reason: 'It is night',
  metadata: '{"zone":"Europe/Berlin"}',
  agent_name: 'a',
  workflow_name: 'w',
  evaluation_count: 1,
  created_at: 5,
  updated_at: 5,
} as const;
const none = { policy_id: null, policy_name: null, category: null, metadata: '{}' };
/** What three policies remember of some more subjects than are read at once. */
const states = Array.from({ length: 400 }, (_, i) => i).flatMap((i) =>
  ['pol_1', 'pol_2', 'pol_3'].map((policy_id, n) => ({
    tenant_id: i % 2 ? 'tnt_1' : 'tnt_2',
    policy_id,
    subject: `s${i}`,
    // The last is of a rate limit, as it was kept then.
    state: JSON.stringify(n < 2 ? { i, n } : { slots: [1000, 1005, 1003], recent: [], counts: {} }),
    updated_at: n,
  })),
);

const numberOf = ({ subject }: { subject: string }): number => Number(subject.slice(1));
const bySubject = (a: { subject: string }, b: { subject: string }): number =>
  numberOf(a) - numberOf(b);

async function makeAsBefore(db: Kysely<Tables>): Promise<void> {
  await db.schema.dropTable('policy_checks').execute();
  await db.schema.dropTable('asked_policies').execute();
  await db.schema.dropTable('policy_states').execute();
  await db.schema
    .createTable('policy_states')
    .addColumn('tenant_id', 'text', (to) => to.notNull())
    .addColumn('policy_id', 'text', (to) => to.notNull())
    .addColumn('subject', 'text', (to) => to.notNull())
    .addColumn('state', 'text', (to) => to.notNull())
    .addColumn('updated_at', 'bigint', (to) => to.notNull())
    .addPrimaryKeyConstraint('policy_states_pk', ['tenant_id', 'policy_id', 'subject'])
    .execute();
}

describe.each(databases)('checks from before they had a row of their own on %s', (kind) => {
  let database: TestDatabase;
  let dialect: Dialect;
  let db: Kysely<Tables>;

  beforeAll(async () => {
    database = await newDatabase(kind);
    await (await openStorage({ ...database, onProblem })).close();
    dialect =
      database.databaseUrl === undefined
        ? openSqlite(`${database.dataDir}/gatehouse.db`, 'full', onProblem)
        : openPostgres(database.databaseUrl, onProblem);
    db = new Kysely<Tables>({ dialect: dialect.kysely });
  });
  afterAll(async () => {
    await dialect.search.close();
    await dialect.close();
    await db.destroy();
    await database.remove();
  });

  test('are listed as before, and what policies remember stays', async () => {
    await makeAsBefore(db);
    const rows = [
      { id: 'evl_1', run_id: null, ...answer },
      { id: 'evl_2', run_id: null, ...answer, ...none },
      { id: 'evl_3', run_id: 7, ...answer },
    ];
    await db
      .insertInto('evaluations')
      .values(rows as never)
      .execute();
    await db
      .insertInto('policy_states')
      .values(states as never)
      .execute();

    await db.transaction().execute(async (trx) => {
      await policyChecks(dialect).up(trx);
      await askedPolicies(dialect).up(trx);
      await statesBySubject.up(trx);
    });

    const reading: Parameters<typeof listEvaluations>[0] = {
      reader: db,
      pairsOf: (...columns) => dialect.pairsOf(...columns),
    };
    const found = await listEvaluations(reading, 'tnt_1', { limit: 9, offset: 0 });
    const { tenant_id: _, ...told } = answer;
    expect(found).toEqual({
      count: 3,
      rows: [
        { ...told, id: 'evl_3', run_id: 7 },
        { ...told, ...none, id: 'evl_2.0', run_id: null },
        { ...told, id: 'evl_1.0', run_id: null },
      ],
    });
    const kept = await db.selectFrom('policy_states').selectAll().execute();
    expect(kept.map((row) => ({ ...row, states: JSON.parse(row.states) })).sort(bySubject)).toEqual(
      Array.from({ length: 400 }, (__, i) => ({
        tenant_id: i % 2 ? 'tnt_1' : 'tnt_2',
        subject: `s${i}`,
        states: {
          pol_1: { i, n: 0 },
          pol_2: { i, n: 1 },
          pol_3: { taken: [1000, 5, -2], admitted: [], counts: {} },
        },
        updated_at: 2,
      })),
    );
  });
});
