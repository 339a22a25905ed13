import { t } from '@lingui/core/macro';
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

/** The full result of one item, loaded when its row is expanded. */
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
            <Recorded label={t`item ${result.position}`} sources={sourcesOf(result)} />
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
    [t`Latency`, latency_ms === null ? NONE : formatDuration(latency_ms)],
    [t`Tokens in`, formatCount(result.tokens_in)],
    [t`Tokens out`, formatCount(result.tokens_out)],
    [t`Cost`, formatMoney(result.cost)],
    ...(result.evaluation_cost > 0
      ? ([[t`Cost of judging`, formatMoney(result.evaluation_cost)]] as const)
      : []),
    ...(missing_variables.length > 0
      ? ([[t`Variables without a value`, missing_variables.join(', ')]] as const)
      : []),
    ...(ignored_settings.length > 0
      ? ([[t`Ignored settings`, ignored_settings.join(', ')]] as const)
      : []),
  ] as const;
}

const sourcesOf = (result: Result): Source[] => [
  { title: t`Input`, value: result.input, role: Array.isArray(result.input) ? 'user' : null },
  ...(result.expected_output === null
    ? []
    : [{ title: t`Expected output`, value: result.expected_output, role: null }]),
  ...(result.status === 'completed'
    ? [{ title: t`Output`, value: result.output, role: 'assistant' as const }]
    : []),
  ...(result.tool_calls.length > 0
    ? [{ title: t`Tool calls`, value: result.tool_calls, role: null }]
    : []),
];
