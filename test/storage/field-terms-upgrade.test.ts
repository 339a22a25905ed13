/** A database of the first release keeps its policy checks and pending enrollments. */
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { listEvaluations } from '#control-plane/evaluations/queries.ts';
import { findDeviceByHardware } from '#control-plane/enrollment/queries.ts';
import { openStorage, type StorageOptions } from '#control-plane/storage/open.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { firstMigration } from '../support/migrations.ts';

test.each(databases)('an upgrade keeps checks and pending enrollments on %s', async (kind) => {
  const database = await newDatabase(kind, { isEmpty: true });
  const open = (options: Partial<StorageOptions> = {}) =>
    openStorage({ ...database, onProblem: (line) => expect.fail(line), ...options });
  const old = await open({ migrations: firstMigration });
  await addOldRows(old.db as Kysely<unknown>);
  await old.close();

  const storage = await open();
  const { rows } = await listEvaluations(storage, 't', { limit: 10, offset: 0 });
  expect(rows).toMatchObject([
    { policy_id: 'pol_1', policy_name: 'Steady', category: 'rate-limit', action: 'block' },
  ]);
  expect(await findDeviceByHardware(storage.db, 't', 'hardware-1')).toMatchObject({
    pending_key: 'k',
    pending_since: 900,
    pending_request: '{"hostname":"host"}',
  });
  await storage.close();
  await database.remove();
});

async function addOldRows(db: Kysely<unknown>): Promise<void> {
  await sql`insert into asked_policies (tenant_id, day, key, policies)
    values ('t', 0, 'set', '[["pol_1","Steady","rate-limit"]]')`.execute(db);
  await sql`insert into policy_checks
    (tenant_id, id, agent_name, workflow_name, created_at, answer_count, asked, answers)
    values ('t', 'evl_1', 'a', 'w', 1000, 1, 'set', '[["block","too fast"]]')`.execute(db);
  await sql`insert into devices
    (tenant_id, id, hardware_id, hostname, os, os_version, agent_version, "user", api_key_id,
      enrolled_at, last_seen, disconnected_at, applied_version, status, problems,
      waiting_key, waiting_since, waiting_as)
    values ('t', 'dev_1', 'hardware-1', 'host', 'macos', '15', '1', 'ada', 'key_1',
      1, 1, 1, 0, 'pending', '[]', 'k', 900, '{"hostname":"host"}')`.execute(db);
}
