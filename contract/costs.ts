import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** The maximum is far above any real price, and low enough that sums of costs stay exact. */
const perMillion = z.number().min(0).max(1_000_000);
const cacheRate = perMillion.nullable().default(null);

export const modelPrice = z.strictObject({
  input_cost_per_million: perMillion.meta({
    description: 'USD per million tokens',
    examples: [2.5],
  }),
  output_cost_per_million: perMillion.meta({
    description: 'USD per million tokens',
    examples: [10],
  }),
  cache_read_cost_per_million: cacheRate.meta({
    description: 'tokens read from a cache; null: keeps the current ratio to the input rate',
  }),
  cache_write_cost_per_million: cacheRate.meta({
    description: 'tokens written to a cache; null: keeps the current ratio to the input rate',
  }),
});

const priceSources = ['override', 'file', 'table'] as const;
export const priceSource = z.enum(priceSources);

/** The source of a call's cost. */
export const costSource = z
  .enum([
    'given',
    ...priceSources.flatMap((source) => [source, `${source}_prefix` as const]),
    'unpriced',
  ])
  .meta({
    description:
      'given: sent by the client; else the price of this model, or, with _prefix, of the longest ' +
      'prefix of its name before a `-` or `:`',
  });
export type CostSource = z.output<typeof costSource>;

export const modelCost = z.object({
  model_id: z.string(),
  provider: z.string().nullable(),
  input_cost_per_million: z.number(),
  output_cost_per_million: z.number(),
  cache_read_cost_per_million: z.number(),
  cache_write_cost_per_million: z.number(),
  currency: z.literal('USD'),
  is_override: z.boolean(),
  source: priceSource.meta({
    description: "the tenant's override, the operator's file or the system table",
  }),
  updated_at: timestamp.nullable().meta({ description: 'null except for overrides' }),
});

/** The progress or the result of a recomputation. */
export const recomputation = z.object({
  status: z.enum(['running', 'completed', 'failed', 'interrupted']),
  dry_run: z.boolean(),
  started_at: timestamp,
  updated_at: timestamp,
  checked: count.meta({ description: 'calls examined' }),
  changed: count.meta({ description: 'calls whose cost or cost source changed' }),
  cost_before: z.number().meta({ description: 'USD, of the examined calls' }),
  cost_after: z.number(),
  unpriced: z.array(z.object({ model: z.string(), call_count: count })).meta({
    description: 'models that still have no price, most calls first; the first 100',
  }),
});

const admin = { auth: 'admin', errors: 'text' } as const;
const modelPath = z.object({ model_id: z.string().min(1) });

export const costRoutes = routes({
  listModelCosts: {
    ...admin,
    permission: 'record',
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/observe/model-costs/',
    summary: 'List model prices: the system table merged with the overrides of the tenant',
    response: z.object({ results: z.array(modelCost), count }),
  },
  findRecomputation: {
    ...admin,
    method: 'GET',
    path: '/api/v1/observe/model-costs/recompute/',
    summary: 'The latest recomputation of stored costs',
    errorStatuses: [404],
    response: recomputation,
  },
  startRecomputation: {
    ...admin,
    method: 'POST',
    path: '/api/v1/observe/model-costs/recompute/',
    summary: 'Recompute the costs of stored calls in the background; costs sent by clients stay',
    body: z
      .strictObject({
        model: z.string().min(1).max(200).optional(),
        since: timestamp.optional(),
        unpriced_only: z.boolean().default(false),
        include_given: z.boolean().default(false),
        dry_run: z.boolean().default(false),
      })
      .default({ unpriced_only: false, include_given: false, dry_run: false }),
    response: recomputation,
  },
  putModelCost: {
    ...admin,
    method: 'PUT',
    path: '/api/v1/observe/model-costs/{model_id}/',
    summary: "Set the tenant's own price of a model",
    params: modelPath,
    body: modelPrice,
    response: modelCost,
  },
  deleteModelCost: {
    ...admin,
    method: 'DELETE',
    path: '/api/v1/observe/model-costs/{model_id}/',
    summary: 'Delete an override; the system price applies again',
    params: modelPath,
    status: 204,
    response: z.undefined(),
  },
  listUnpriced: {
    auth: 'session',
    role: 'viewer',
    errors: 'text',
    method: 'GET',
    path: '/api/v1/observability/costs/unpriced/',
    summary: 'List called models without a price, most calls first',
    response: z.object({
      results: z.array(
        z.object({
          model: z.string(),
          provider: z.string().nullable(),
          call_count: count,
          total_tokens: z.number().min(0),
        }),
      ),
      count,
    }),
  },
});
