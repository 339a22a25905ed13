import { Link } from 'wouter';
import { llmCallDetail } from '../data/llm-call-sources.ts';
import type { LlmCall, LlmCallDetail } from '../data/llm-call-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDuration, formatExact, none } from '../format.ts';
import { Loaded } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { priceNames } from './cost.tsx';

/** A call with its full texts, which lists truncate; loaded when the row is expanded. */
export function CallContent({ id, ofOneRun = false }: { id: number; ofOneRun?: boolean }) {
  const reading = useQuery(llmCallDetail(String(id)));
  return (
    <div className="opened">
      <Loaded reading={reading}>
        {(call) => (
          <div className="detail-body">
            <Facts facts={factsOf(call, ofOneRun)} />
            <div className="detail-body previews">
              <Preview title="Prompt" text={call.prompt_preview} />
              <Preview title="Response" text={call.response_preview} />
            </div>
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
    ['Task', call.task || none],
    ['Provider', call.provider || none],
    ['Duration', call.duration_ms === null ? none : formatDuration(call.duration_ms)],
    ['Tokens in', tokensIn(call)],
    ['Tokens out', formatCount(call.tokens_out)],
    ['Price', priceNames[call.cost_source]],
    ['Response id', call.response_id ?? none],
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

function Preview({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3>{title}</h3>
      {/* The region scrolls, so the keyboard must reach it. */}
      <p className="preview" role="region" aria-label={title} tabIndex={0}>
        <Text>{text || none}</Text>
      </p>
    </div>
  );
}
