import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { stepDetail } from '../data/run-sources.ts';
import type { Step } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Recorded } from '../messages/recorded.tsx';
import { Loaded } from '../parts/notice.tsx';

/** The output of a step. If the list omits it, it is loaded when the row is expanded. */
export const StepOutput = ({ run, step }: { run: string; step: Step }) =>
  step.truncated ? <LoadedStep run={run} step={String(step.id)} /> : <Output of={step} />;

export function LoadedStep({ run, step }: { run: string; step: string }) {
  const reading = useQuery(stepDetail(run, step));
  return (
    <div className="opened">
      <Loaded reading={reading}>{(detail) => <Output of={detail} />}</Loaded>
    </div>
  );
}

const Output = ({ of: { output } }: { of: Pick<Step, 'output'> }) =>
  output === null ? (
    <p className="muted">
      <Trans>No output was recorded.</Trans>
    </p>
  ) : (
    <Recorded label={t`step`} sources={[{ title: t`Output`, value: output, role: null }]} />
  );
