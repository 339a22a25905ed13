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

/** A call with its full texts, which lists truncate; loaded when the row is expanded. */
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
            <Recorded label={`LLM call ${call.id}`} sources={sourcesOf(call)} />
          </div>
        )}
      </Loaded>
    </div>
  );
}

function factsOf(call: LlmCallDetail, ofOneRun: boolean) {
  const run = (
    <Link key="run" to={`/runs/${call.run_id}`}>
      Run {call.run_id}
    </Link>
  );
  return [
    ...(ofOneRun ? [] : ([['Run', run]] as const)),
    ['Called', formatExact(Date.parse(call.created_at))],
    ['Task', call.task || NONE],
    ['Provider', call.provider || NONE],
    ['Duration', call.duration_ms === null ? NONE : formatDuration(call.duration_ms)],
    ...timeToFirstToken(call),
    ['Tokens in', tokensIn(call)],
    ['Tokens out', tokensOut(call)],
    ['Price', priceNames[call.cost_source]],
    ['Finish reason', call.finish_reason ?? NONE],
    ['Response id', call.response_id ?? NONE],
  ] as const;
}

/** Cached tokens are part of the input tokens. */
function tokensIn({ tokens_in, cache_read_tokens, cache_write_tokens }: LlmCall): string {
  const cached = [
    cache_read_tokens > 0 && `${formatCount(cache_read_tokens)} from cache`,
    cache_write_tokens > 0 && `${formatCount(cache_write_tokens)} to cache`,
  ].filter((part) => part !== false);
  return formatCount(tokens_in) + (cached.length > 0 ? ` (${cached.join(', ')})` : '');
}

const timeToFirstToken = ({ time_to_first_token_ms: ms }: LlmCallDetail) =>
  ms === null ? [] : ([['First token', `after ${formatDuration(ms)}`]] as const);

/** Reasoning tokens are part of the output tokens. */
const tokensOut = ({ tokens_out, reasoning_tokens }: LlmCallDetail): string =>
  formatCount(tokens_out) +
  (reasoning_tokens ? ` (${formatCount(reasoning_tokens)} for reasoning)` : '');

const sourcesOf = ({ prompt_preview, response_preview, tool_calls }: LlmCallDetail): Source[] => [
  { title: 'Prompt', value: prompt_preview, role: 'user' },
  { title: 'Response', value: response_preview, role: 'assistant' },
  ...(tool_calls === null || tool_calls.length === 0
    ? []
    : [{ title: 'Tool calls', value: { role: 'assistant', tool_calls }, role: null }]),
];
