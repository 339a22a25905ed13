import type { ExperimentPath, Result, Score } from '../data/experiment-sources.ts';
import { resultDetail } from '../data/experiment-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDuration, formatMoney, NONE } from '../format.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Descriptions } from '../parts/descriptions.tsx';
import { ErrorText, Loaded } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { scoreText } from './score-text.tsx';

/** The result of one item in full; loaded when its row is expanded. */
export function ResultContent({ path }: { path: ExperimentPath & { item_id: string } }) {
  const reading = useQuery(resultDetail(path));
  return (
    <div className="opened">
      <Loaded reading={reading}>
        {(result) => (
          <div className="detail-body">
            <Facts facts={factsOf(result)} />
            {result.error !== null && <ErrorText>{result.error}</ErrorText>}
            {result.scores.length > 0 && (
              <Descriptions descriptions={result.scores.map(descriptionOf)} />
            )}
            <Recorded label={`item ${result.position}`} sources={sourcesOf(result)} />
          </div>
        )}
      </Loaded>
    </div>
  );
}

const descriptionOf = (score: Score) =>
  [score.name, [scoreText(score), score.error ?? score.reason].filter(Boolean).join(': ')] as const;

function factsOf(result: Result) {
  const { latency_ms, missing_variables, ignored_settings } = result;
  return [
    ['Latency', latency_ms === null ? NONE : formatDuration(latency_ms)],
    ['Tokens in', formatCount(result.tokens_in)],
    ['Tokens out', formatCount(result.tokens_out)],
    ['Cost', formatMoney(result.cost)],
    ...(result.evaluation_cost > 0
      ? ([['Cost of judging', formatMoney(result.evaluation_cost)]] as const)
      : []),
    ...(missing_variables.length > 0
      ? ([['Variables without a value', missing_variables.join(', ')]] as const)
      : []),
    ...(ignored_settings.length > 0
      ? ([['Ignored settings', ignored_settings.join(', ')]] as const)
      : []),
  ] as const;
}

const sourcesOf = (result: Result): Source[] => [
  { title: 'Input', value: result.input, role: Array.isArray(result.input) ? 'user' : null },
  ...(result.expected_output === null
    ? []
    : [{ title: 'Expected output', value: result.expected_output, role: null }]),
  ...(result.status === 'completed'
    ? [{ title: 'Output', value: result.output, role: 'assistant' as const }]
    : []),
  ...(result.tool_calls.length > 0
    ? [{ title: 'Tool calls', value: result.tool_calls, role: null }]
    : []),
];
