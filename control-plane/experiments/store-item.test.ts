import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { failedItem } from './run-item.ts';
import { storeItem } from './store-item.ts';

const lease = { tenant_id: 'tnt_1', id: 'xpt_1', lease_id: 'l', attempt: 1 };
const signal = new AbortController().signal;

/** Returns the amount that is added to a column, as if the column were 0. */
const added = (_column: string, _plus: string, value: number) => value;

/** Creates a database that refuses this number of transactions, and records what later ones set. */
function storing(refused: number) {
  const set: object[] = [];
  const update = {
    set: (values: object | ((eb: typeof added) => object)) => {
      set.push(typeof values === 'function' ? values(added) : values);
      return update;
    },
    where: () => update,
    executeTakeFirst: () => Promise.resolve({ numUpdatedRows: 1n }),
  };
  let transactions = 0;
  const storage = {
    isUnavailable: () => false,
    transaction: (work: (tx: object) => Promise<unknown>) => {
      transactions += 1;
      if (transactions <= refused) return Promise.reject(new Error('refused'));
      return work({ db: { updateTable: () => update } });
    },
  };
  const context = { storage, now: () => 1, log: { error: () => undefined } };
  return { context: context as unknown as Context, set };
}

test.each([
  ['a result', 0, { status: 'completed', cost: 0.5, evaluation_cost: 0.25, output: 'o' }],
  ['what a refused result cost', 1, { status: 'failed', cost: 0.5, tokens_in: 3, output: '' }],
  ['an error, if nothing else', 2, { status: 'failed', cost: 0, tokens_in: 0, output: '' }],
])('%s is stored', async (_what, refused, expected) => {
  const { context, set } = storing(refused);
  const { outcome } = failedItem(context, '');
  const paid = { cost: 0.5, evaluation_cost: 0.25, tokens_in: 3, tokens_out: 4 };
  const result = {
    outcome: { ...outcome, ...paid, status: 'completed' as const, output: 'o' },
    scores: [],
  };
  expect(await storeItem(context, { lease, signal }, 'dti_1', result)).toBe(true);
  expect(set.at(-1)).toMatchObject(expected);
});
