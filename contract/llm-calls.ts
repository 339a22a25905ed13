import { z } from 'zod';
import {
  count,
  idParam,
  page,
  paging,
  range,
  searchLag,
  sortBy,
  startBeforeEnd,
} from './fields.ts';
import { routes } from './route.ts';
import { llmCallRecord } from './runs.ts';

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A decimal number in a query; an empty text is rejected. */
const numeric = (number: z.ZodNumber | z.ZodInt) =>
  z
    .codec(z.union([z.number(), z.string()]), number, {
      decode: (value) => (DECIMAL.test(String(value)) ? Number(value) : Number.NaN),
      encode: (value) => value,
    })
    .optional();

const amount = z.number({ error: 'expected a decimal number' });
const tokens = z.int({ error: 'expected a whole number' });

/** `?model=a&model=b` */
const repeatable = z
  .codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
    decode: (value) => (Array.isArray(value) ? value : [value]).filter((value) => value !== ''),
    encode: (values) => values,
  })
  .optional();

type Bounds = Partial<Record<`${'min' | 'max'}_${'cost' | 'tokens'}`, number | undefined>>;

const inOrder = (name: 'cost' | 'tokens') =>
  z.refine<Bounds>(
    (bounds) => (bounds[`min_${name}`] ?? -Infinity) <= (bounds[`max_${name}`] ?? Infinity),
    { path: [`min_${name}`], error: `expected a number not above max_${name}` },
  );

const session = { auth: 'session', role: 'viewer', errors: 'text', method: 'GET' } as const;

export const llmCallRoutes = routes({
  listLlmCalls: {
    ...session,
    path: '/api/v1/observability/llm-calls/',
    summary: 'List LLM calls with their totals; texts are cut to 200 characters',
    query: z
      .object({
        ...paging,
        search: z
          .string()
          .max(1000)
          .optional()
          .meta({
            description:
              'full text search in model, task and previews, ignoring case and accents: ' +
              'words, "phrases" and prefixes*, which must all match',
          }),
        model: repeatable.meta({ description: 'any of these models' }),
        agent: z.string().optional(),
        min_cost: numeric(amount).meta({ description: 'USD' }),
        max_cost: numeric(amount).meta({ description: 'USD' }),
        min_tokens: numeric(tokens).meta({ description: 'total tokens' }),
        max_tokens: numeric(tokens).meta({ description: 'total tokens' }),
        ...range,
        sort: sortBy(['created_at', 'cost', 'total_tokens', 'model'], '-created_at'),
      })
      .check(startBeforeEnd, inOrder('cost'), inOrder('tokens')),
    response: page(llmCallRecord).extend({
      aggregates: z.object({
        total_cost: z.number().meta({ description: 'USD' }),
        total_tokens: z.number(),
        total_calls: count,
        models_used: z.array(z.string()),
      }),
      incomplete: z.boolean().meta({
        description:
          'true if the search index is not up to date: `count` and `aggregates` then cover ' +
          'only indexed calls, and matching calls may be missing',
      }),
      search_lag: searchLag.nullable().meta({
        description: 'calls not indexed yet if the search is incomplete; null otherwise',
      }),
    }),
  },
  // Must come before the detail route, whose path also matches.
  listLlmCallModels: {
    ...session,
    path: '/api/v1/observability/llm-calls/models/',
    summary: 'List the models that were called',
    response: z.object({ models: z.array(z.string()) }),
  },
  getLlmCall: {
    ...session,
    path: '/api/v1/observability/llm-calls/{call_id}/',
    summary: 'One LLM call with its full texts',
    params: z.object({ call_id: idParam }),
    response: llmCallRecord.extend({
      response_id: z.string().nullable().meta({ description: "the provider's response id" }),
    }),
  },
});
