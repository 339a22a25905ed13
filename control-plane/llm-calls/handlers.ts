import { ApiError } from '#contract/errors.ts';
import type { llmCallRoutes } from '#contract/llm-calls.ts';
import type { Handlers } from '../http/handler.ts';
import { pageOf } from '../http/page.ts';
import { phrasesOf } from '../storage/search/word-rules.ts';
import { findCall, listCalls, listModels } from './queries.ts';
import { aggregatesOf } from './rules.ts';

export const llmCallHandlers: Handlers<typeof llmCallRoutes> = {
  async listLlmCalls({ storage }, { caller: { tenantId }, query, url }) {
    const { search = '', ...list } = query;
    const phrases = search.trim() === '' ? undefined : phrasesOf(search);
    // A search without any word matches nothing.
    const hasNoWords = phrases?.length === 0;
    const complete = !phrases || hasNoWords || (await storage.search.catchUp(tenantId));
    // Read before the search: calls indexed meanwhile are then reported as missing, not the
    // reverse.
    const search_lag = complete ? null : await storage.search.lag(tenantId);
    const { rows, aggregates } = hasNoWords
      ? { rows: [], aggregates: aggregatesOf([]) }
      : await listCalls(storage, tenantId, { ...list, phrases });
    const page = pageOf(url, query, { rows, count: aggregates.total_calls });
    return { ...page, aggregates, incomplete: !complete, search_lag };
  },

  async listLlmCallModels({ storage }, { caller }) {
    return { models: await listModels(storage.reader, caller.tenantId) };
  },

  async getLlmCall({ storage }, { caller, params }) {
    const call = await findCall(storage.reader, caller.tenantId, params.call_id);
    if (!call) throw new ApiError('not_found', `there is no LLM call ${params.call_id}`);
    return call;
  },
};
