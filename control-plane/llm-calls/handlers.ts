import { ApiError } from '#contract/errors.ts';
import type { llmCallRoutes } from '#contract/llm-calls.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { phrasesOf } from '../storage/search/word-rules.ts';
import { exportLlmCalls } from './export-calls.ts';
import { findCall, listCalls, listModels } from './queries.ts';
import { withPrompts } from './prompt-filter.ts';
import { aggregatesOf, roundedCost } from './rules.ts';
import { summarizeCalls } from './summary-queries.ts';

export const llmCallHandlers: Handlers<typeof llmCallRoutes> = {
  async listLlmCalls({ storage }, { caller: { tenantId }, query, url }) {
    const { search = '', ...list } = await withPrompts(storage.reader, tenantId, query);
    const phrases = search.trim() === '' ? undefined : phrasesOf(search);
    // A search without any word matches nothing.
    const hasNoWords = phrases?.length === 0;
    const complete = !phrases || hasNoWords || (await storage.search.catchUp(tenantId));
    // The lag is read before the search, so that calls indexed in the meantime are reported as
    // missing, not the reverse.
    const search_lag = complete ? null : await storage.search.lag(tenantId);
    const { rows, aggregates, isCut } = hasNoWords
      ? { rows: [], aggregates: aggregatesOf([]), isCut: false }
      : await listCalls(storage, tenantId, { ...list, phrases });
    const page = pageOf(url, query, { rows, count: aggregates.total_calls });
    return { ...page, aggregates, incomplete: !complete || isCut, search_lag };
  },

  async summarizeLlmCalls({ storage }, { caller: { tenantId }, query }) {
    const { search = '', ...filter } = await withPrompts(storage.reader, tenantId, query);
    const phrases = search.trim() === '' ? undefined : phrasesOf(search);
    // A search without any word matches nothing.
    if (phrases?.length === 0) return { bucket_seconds: 0, buckets: [], incomplete: false };
    const complete = !phrases || (await storage.search.catchUp(tenantId));
    const selected = { ...filter, phrases };
    const { length, buckets, isCut } = await summarizeCalls(storage, tenantId, selected);
    return {
      bucket_seconds: length / 1000,
      buckets: buckets.map((bucket) => ({ ...bucket, cost: roundedCost(bucket.cost) })),
      incomplete: !complete || isCut,
    };
  },

  exportLlmCalls,

  async listLlmCallModels({ storage }, { caller }) {
    return { models: await listModels(storage.reader, caller.tenantId) };
  },

  async getLlmCall({ storage }, { caller, params }) {
    const call = await findCall(storage.reader, caller.tenantId, params.call_id);
    if (!call) throw new ApiError('not_found', `there is no LLM call ${params.call_id}`);
    return call;
  },
};
