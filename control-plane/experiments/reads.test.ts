import { expect, test } from 'vitest';
import { datasetRoutes } from '#contract/datasets.ts';
import { experimentRoutes } from '#contract/experiments.ts';
import { datasetHandlers } from '../datasets/handlers.ts';
import { experimentHandlers } from './handlers.ts';

type Handler = (context: object, call: object) => unknown;

const routes = { ...datasetRoutes, ...experimentRoutes };
const handlers = { ...datasetHandlers, ...experimentHandlers } as Record<string, unknown>;
const reading = Object.entries(routes)
  .filter(([, { method }]) => method === 'GET')
  .map(([name]) => name);

/** Storage that fails with the name of the connection that is used. */
const storage = {
  get reader(): never {
    throw new Error('the reader');
  },
  get db(): never {
    throw new Error('the connection that records');
  },
};

test.each(reading)('%s never delays recording', async (name) => {
  const handle = handlers[name] as Handler;
  const request = { caller: { tenantId: 'tnt_1' }, params: {}, query: {} };
  await expect((async () => handle({ storage }, request))()).rejects.toThrow('the reader');
});
