import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { scheduleDeletion, deleteDueRows } from '#control-plane/pending-deletions/queries.ts';
import { openQueryPlans, type QueryPlans } from '../support/query-plans.ts';

let explained: QueryPlans;
beforeAll(async () => {
  explained = await openQueryPlans();
});
afterEach(() => explained.db.deleteFrom('pending_deletions').execute());
afterAll(() => explained.close());

/** A batch reads only the rows that it deletes, and no others of the same experiment or queue. */
test.each([
  ['experiment', 'experiment_scores', 'experiment_id=? AND (item_id,name)<(?,?)'],
  ['experiment', 'experiment_results', 'experiment_id=? AND item_id<?'],
  ['annotation_queue', 'annotation_items', 'queue_id=? AND run_id<?'],
  ['dataset', 'dataset_items', 'id=?'],
] as const)('the rows of a deleted %s in %s are deleted by their key', async (kind, table, by) => {
  const tenant_id = 'tnt_1';
  await explained.transaction((tx) => scheduleDeletion(tx, tenant_id, { kind, id: 'one' }));
  await explained.db
    .insertInto(table as 'dataset_items')
    .values(rowsIn[table] as typeof item)
    .execute();
  const plans = await explained.plansOf(() =>
    explained.transaction((tx) => deleteDueRows(tx, 1000, 1)),
  );
  expect(plans).toContainEqual(
    expect.stringMatching(
      new RegExp(`^SEARCH ${table} USING .*INDEX sqlite_autoindex_${table}_1 `),
    ),
  );
  expect(
    plans.filter((line) => line.includes(`SEARCH ${table} `) && line.includes(by)),
  ).not.toEqual([]);
  expect(plans.filter((line) => /BLOOM/.test(line))).toEqual([]);
  // Only the sort of the pending deletions is allowed, because they are few.
  expect(plans.filter((line) => line.includes('TEMP B-TREE')).length).toBeLessThanOrEqual(1);
});

const of = { tenant_id: 'tnt_1' };
const result = {
  ...of,
  experiment_id: 'one',
  item_id: 'dti_1',
  position: 1,
  status: 'pending',
  tokens_in: 0,
  tokens_out: 0,
  cost: 0,
  evaluation_cost: 0,
  input_preview: '',
  output_preview: '',
  missing_variables: '[]',
  ignored_settings: '[]',
  tool_calls: '[]',
  input: '{}',
  output: '',
};
const item = {
  ...of,
  id: 'dti_1',
  dataset_id: 'one',
  position: 1,
  input: '{}',
  input_preview: '',
  metadata: '{}',
  created_at: 1,
  updated_at: 1,
};
const rowsIn = {
  experiment_scores: { ...of, experiment_id: 'one', item_id: 'dti_1', name: 'a', attempt: 1 },
  experiment_results: result,
  annotation_items: {
    ...of,
    queue_id: 'one',
    run_id: 1,
    status: 'pending',
    added_at: 1,
    score_ids: '[]',
  },
  dataset_items: item,
};
