import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { AddToDataset } from '../datasets/add-to-dataset.tsx';
import { llmCallDetail } from '../data/llm-call-sources.ts';
import type { LlmCall, LlmCallDetail } from '../data/llm-call-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDuration, formatExact, NONE } from '../format.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Loaded } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { OpenInPlayground } from '../playground/open-in-playground.tsx';
import { priceNames } from './cost.tsx';
import { ScoreCall } from './score-call.tsx';

/** The full texts of a call, which lists truncate. Loaded when the row is expanded. */
export function CallContent({ id, ofOneRun = false }: { id: number | string; ofOneRun?: boolean }) {
  const reading = useQuery(llmCallDetail(String(id)));
  return (
    <div className="opened">
      <Loaded reading={reading}>
        {(call) => (
          <div className="detail-body">
            <Facts facts={factsOf(call, ofOneRun)} />
            <div className="button-row">
              <OpenInPlayground query={{ call: String(call.id) }} />
              <AddToDataset call={call} />
              <ScoreCall id={call.id} />
            </div>
            <Recorded label={t`LLM call ${call.id}`} sources={sourcesOf(call)} />
          </div>
        )}
      </Loaded>
    </div>
  );
}

function factsOf(call: LlmCallDetail, ofOneRun: boolean) {
  const run = (
    <Link key="run" to={`/runs/${call.run_id}`}>
      <Trans>Run {call.run_id}</Trans>
    </Link>
  );
  return [
    ...(ofOneRun ? [] : ([[t`Run`, run]] as const)),
    [t`Called`, formatExact(Date.parse(call.created_at))],
    [t`Task`, call.task || NONE],
    [t`Provider`, call.provider || NONE],
    [t`Duration`, call.duration_ms === null ? NONE : formatDuration(call.duration_ms)],
    ...timeToFirstToken(call),
    [t`Tokens in`, tokensIn(call)],
    [t`Tokens out`, tokensOut(call)],
    [t`Price`, priceNames[call.cost_source]],
    [t`Finish reason`, call.finish_reason ?? NONE],
    [t`Response id`, call.response_id ?? NONE],
  ] as const;
}

/** The input tokens, which include cached tokens. */
function tokensIn({ tokens_in, cache_read_tokens, cache_write_tokens }: LlmCall): string {
  const all = formatCount(tokens_in);
  const [read, written] = [formatCount(cache_read_tokens), formatCount(cache_write_tokens)];
  if (cache_read_tokens > 0 && cache_write_tokens > 0)
    return t`${all} (${read} from cache, ${written} to cache)`;
  if (cache_read_tokens > 0) return t`${all} (${read} from cache)`;
  return cache_write_tokens > 0 ? t`${all} (${written} to cache)` : all;
}

const timeToFirstToken = ({ time_to_first_token_ms: ms }: LlmCallDetail) =>
  ms === null ? [] : ([[t`First token`, t`after ${formatDuration(ms)}`]] as const);

/** The output tokens, which include reasoning tokens. */
function tokensOut({ tokens_out, reasoning_tokens }: LlmCallDetail): string {
  const all = formatCount(tokens_out);
  return reasoning_tokens ? t`${all} (${formatCount(reasoning_tokens)} for reasoning)` : all;
}

const sourcesOf = ({ prompt_preview, response_preview, tool_calls }: LlmCallDetail): Source[] => [
  { title: t`Prompt`, value: prompt_preview, role: 'user' },
  { title: t`Response`, value: response_preview, role: 'assistant' },
  ...(tool_calls === null || tool_calls.length === 0
    ? []
    : [{ title: t`Tool calls`, value: { role: 'assistant', tool_calls }, role: null }]),
];
