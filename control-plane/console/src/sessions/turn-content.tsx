import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { llmCallDetail } from '../data/llm-call-sources.ts';
import type { LlmCallDetail } from '../data/llm-call-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Loaded } from '../parts/notice.tsx';
import { turnOf } from './turn-messages.ts';
import type { Side, Turn } from './turn-messages.ts';

/** The input and output of a run as message bubbles. */
export function TurnContent({ run }: { run: Run }) {
  const turn = turnOf(run);
  return (
    <WithCall side={turn.input} read={promptOf}>
      {(input) => (
        <WithCall side={turn.output} read={responseOf}>
          {(output) => <Exchange run={run} sources={[...input, ...output]} turn={turn} />}
        </WithCall>
      )}
    </WithCall>
  );
}

interface ExchangeProps {
  run: Run;
  sources: readonly Source[];
  turn: Turn;
}

function Exchange({ run, sources, turn }: ExchangeProps) {
  if (sources.length > 0) return <Recorded label={t`run ${run.id}`} sources={sources} />;
  if (run.error !== null || turn.input || turn.output) return null;
  return (
    <p className="muted">
      <Trans>Neither inputs nor a result were recorded.</Trans>
    </p>
  );
}

interface WithCallProps {
  side: Side;
  read: (call: LlmCallDetail) => Source;
  children: (sources: readonly Source[]) => ReactNode;
}

/** One side of a turn. The text of a call is loaded in full, because lists truncate it. */
function WithCall({ side, read, children }: WithCallProps) {
  if (!side) return children([]);
  if ('recorded' in side) return children([side.recorded]);
  return (
    <CallText id={side.callId} read={read}>
      {children}
    </CallText>
  );
}

interface CallTextProps extends Omit<WithCallProps, 'side'> {
  id: number;
}

function CallText({ id, read, children }: CallTextProps) {
  const reading = useQuery(llmCallDetail(String(id)));
  return (
    <Loaded reading={reading}>
      {(call) => {
        const source = read(call);
        return children(source.value === '' ? [] : [source]);
      }}
    </Loaded>
  );
}

const promptOf = ({ prompt_preview }: LlmCallDetail): Source => ({
  title: t`First prompt`,
  value: prompt_preview,
  role: 'user',
});

const responseOf = ({ response_preview }: LlmCallDetail): Source => ({
  title: t`Last response`,
  value: response_preview,
  role: 'assistant',
});
