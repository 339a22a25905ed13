import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PlaygroundResult } from '#contract/playground.ts';
import { formatCount, formatDuration, formatMoney } from '../format.ts';
import { Recorded } from '../messages/recorded.tsx';
import { State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';
import { Notice } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import type { Outcome } from './playground-state.ts';

const states: Record<Outcome['status'], { tone: Tone; name: string }> = {
  running: { tone: 'accent', name: t`Running…` },
  done: { tone: 'good', name: t`Done` },
  stopped: { tone: 'neutral', name: t`Stopped` },
  failed: { tone: 'bad', name: t`Failed` },
  recorded: { tone: 'neutral', name: t`As recorded` },
};

/** Shows the answer of a model with its tokens, time and cost. */
export function VariantOutcome({ name, outcome }: { name: string; outcome: Outcome }) {
  const { status, output, result, error } = outcome;
  const { tone, name: state } = states[status];
  return (
    <div className="variant-outcome">
      <p className="variant-figures">
        <span role="status">
          <State tone={tone}>{state}</State>
        </span>
        {result && <Figures result={result} />}
      </p>
      {error !== null && (
        <Notice tone="bad">
          <Text>{error}</Text>
        </Notice>
      )}
      {result && <Warnings result={result} />}
      {(output !== '' || (result && result.tool_calls.length > 0)) && (
        <Recorded
          label={t`the output of ${name}`}
          sources={[{ title: t`Output`, value: valueOf(outcome), role: 'assistant' }]}
        />
      )}
      {status === 'done' && output === '' && result?.tool_calls.length === 0 && (
        <p className="muted">
          <Trans>The model returned no text.</Trans>
        </p>
      )}
    </div>
  );
}

/** The output to display. Without tool calls it is plain text, which may be Markdown or JSON. */
function valueOf({ output, result }: Outcome): unknown {
  const calls = result?.tool_calls ?? [];
  if (calls.length === 0) return output;
  return {
    role: 'assistant',
    content: output || null,
    tool_calls: calls.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
  };
}

function Figures({ result }: { result: PlaygroundResult }) {
  const { tokens_in, tokens_out, latency_ms, cost } = result;
  return (
    <>
      <span>{formatDuration(latency_ms)}</span>
      <span>
        <Trans>
          {formatCount(tokens_in)} in, {formatCount(tokens_out)} out
        </Trans>
      </span>
      <span title={cost === 0 ? t`No price is known for this model` : undefined}>
        {formatMoney(cost)}
      </span>
    </>
  );
}

function Warnings({ result }: { result: PlaygroundResult }) {
  const { missing_variables, ignored_settings } = result;
  return (
    <>
      {missing_variables.length > 0 && (
        <p className="muted">
          <Trans>
            Without a value: <Text>{missing_variables.join(', ')}</Text>
          </Trans>
        </p>
      )}
      {ignored_settings.length > 0 && (
        <p className="muted">
          <Trans>
            Not sent to the model: <Text>{ignored_settings.join(', ')}</Text>
          </Trans>
        </p>
      )}
    </>
  );
}
