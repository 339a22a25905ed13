/** A database of the first release keeps its data, and stores the positions of new records. */
import { expect, test } from 'vitest';
import { findRunTree, listTraceItems } from '#control-plane/runs/trace-queries.ts';
import { openStorage, type StorageOptions } from '#control-plane/storage/open.ts';
import { databases, newDatabase } from '../support/databases.ts';
import { firstMigration } from '../support/migrations.ts';

const of = { tenant_id: 't', run_id: 1, created_at: 1000 };
const run = {
  tenant_id: 't',
  workflow_id: 1,
  agent_name: 'a',
  workflow_name: 'default',
  tags: '[]',
  status: 'running',
  started_at: 500,
  llm_call_count: 1,
  tokens: 3,
  cost: 0,
} as const;
const call = {
  ...of,
  model: 'm',
  agent_name: 'a',
  workflow_name: 'default',
  tokens_in: 1,
  tokens_out: 2,
  total_tokens: 3,
  cost: 0,
  cost_source: 'unpriced',
  prompt_hash: '',
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  response_preview: '',
  duration_ms: 400,
  prompt_preview: 'What was asked before the upgrade?',
} as const;
const span = { ...of, name: 's', kind: 'tool', status: 'ok', position: 0 } as const;

test.each(databases)('an upgrade keeps runs and stores trace positions on %s', async (kind) => {
  const database = await newDatabase(kind, { isEmpty: true });
  const open = (options: Partial<StorageOptions> = {}) =>
    openStorage({ ...database, onProblem: (line) => expect.fail(line), ...options });
  const old = await open({ migrations: firstMigration });
  await old.db
    .insertInto('runs')
    .values([run, { ...run, parent_run_id: 1 }])
    .execute();
  await old.db.insertInto('llm_calls').values(call).execute();
  await old.db.insertInto('spans').values(span).execute();
  await old.db
    .insertInto('steps')
    .values({ ...of, step_name: 'before' })
    .execute();
  await old.close();

  const storage = await open();
  const place = { span_id: 'call', parent_span_id: 'span', started_at: 700 };
  await storage.db
    .insertInto('llm_calls')
    .values({ ...call, ...place })
    .execute();
  expect(await storage.db.selectFrom('llm_calls').selectAll().execute()).toMatchObject([
    { prompt_preview: call.prompt_preview, span_id: null, tool_calls: null },
    place,
  ]);
  const { ids } = await findRunTree(storage.reader, { tenantId: 't', runId: 1 });
  const slice = { tenantId: 't', runIds: ids, after: undefined, limit: 100 };
  const { items } = await listTraceItems(storage.reader, slice);
  expect(items.map((item) => [item.kind, item.span_id, item.started_at])).toEqual([
    ['run', null, 500],
    ['run', null, 500],
    ['llm_call', null, 600],
    ['llm_call', 'call', 700],
    ['tool', null, null],
    ['step', null, null],
  ]);
  await storage.close();
  await database.remove();
});
