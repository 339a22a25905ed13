import { z } from 'zod';
import { count, idParam, page, paging, timestamp, wholeNumber } from './fields.ts';
import {
  embedding,
  episodicWrite,
  listedMemory,
  memoryRecord,
  recalledFact,
  scopeKey,
  semanticWrite,
  slotName,
} from './memory-slot.ts';
import { routes } from './route.ts';

const byKey = { auth: 'api-key', permission: 'record', errors: 'text' } as const;
const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;
const ofRun = z.object({ run_id: idParam });
const one = z.object({ id: z.string() });

export const memoryRoutes = routes({
  writeEpisodic: {
    ...byKey,
    method: 'POST',
    path: '/api/v1/observability/runs/{run_id}/memory/episodic/',
    summary: 'Write an episodic memory slot: replace a dict or value, append to a list',
    params: ofRun,
    body: episodicWrite,
    response: z.object({
      status: z.literal('ok'),
      slot_id: z.string(),
      created: z.boolean(),
      item_count: count
        .nullable()
        .meta({ description: 'number of items in a list slot, else null' }),
      expires_at: timestamp.nullable(),
    }),
  },
  writeSemantic: {
    ...byKey,
    method: 'POST',
    path: '/api/v1/observability/runs/{run_id}/memory/semantic/',
    summary: 'Write a fact with its embedding, or update the fact with its fact_key',
    params: ofRun,
    body: semanticWrite,
    response: z.object({
      status: z.literal('ok'),
      slot_id: z.string().nullable().meta({ description: 'null: empty content stores nothing' }),
      created: z.boolean(),
    }),
  },
  readMemory: {
    ...byKey,
    method: 'GET',
    path: '/api/v1/observe/memory/',
    summary: 'The memory slots of one scope with their contents, newest first',
    query: z.object({ ...paging, scope_key: z.string().min(1), slot_name: z.string().optional() }),
    response: page(memoryRecord),
  },
  searchMemory: {
    ...byKey,
    method: 'POST',
    path: '/api/v1/observe/memory/search/',
    summary: 'The facts of one scope nearest to an embedding, ranked with importance',
    body: z.object({
      scope_key: scopeKey,
      slot_name: slotName.nullish(),
      embedding,
      tags: z
        .array(z.string())
        .max(100)
        .nullish()
        .meta({ description: 'only facts with all of these tags' }),
      limit: z
        .int()
        .min(1)
        .default(10)
        .transform((limit) => Math.min(limit, 100)),
    }),
    response: z.object({
      results: z.array(recalledFact),
      searched: count.meta({ description: 'number of facts searched in the scope' }),
      complete: z
        .boolean()
        .meta({ description: 'false: the scope has older facts that were not searched' }),
    }),
  },
  listMemory: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/memory/',
    summary: 'List memory slots, newest first, with short contents',
    query: z.object({
      ...paging,
      scope_key: z.string().optional(),
      slot_name: z.string().optional(),
      type: z.enum(['episodic', 'semantic']).optional(),
      run_id: idParam.optional(),
    }),
    response: page(listedMemory),
  },
  getMemory: {
    ...session,
    method: 'GET',
    path: '/api/v1/observability/memory/{id}/',
    summary: 'One memory slot with its content',
    params: one,
    query: z.object({
      skip: wholeNumber(0)
        .prefault(0)
        .meta({ description: 'number of newest items of a list to skip' }),
    }),
    response: memoryRecord,
  },
  deleteMemory: {
    ...session,
    role: 'analyst',
    method: 'DELETE',
    path: '/api/v1/observability/memory/{id}/',
    summary: 'Delete a memory slot',
    params: one,
    status: 204,
    response: z.undefined(),
  },
});
