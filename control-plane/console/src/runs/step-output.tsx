import { stepDetail } from '../data/run-sources.ts';
import type { Step } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Json } from '../parts/json.tsx';
import { Loaded } from '../parts/notice.tsx';

/** The output of a step. If the list omits it, it is loaded on expansion. */
export const StepOutput = ({ run, step }: { run: string; step: Step }) =>
  step.truncated ? <LongOutput run={run} step={String(step.id)} /> : <Output of={step} />;

function LongOutput({ run, step }: { run: string; step: string }) {
  const reading = useQuery(stepDetail(run, step));
  return (
    <div className="opened">
      <Loaded reading={reading}>{(detail) => <Output of={detail} />}</Loaded>
    </div>
  );
}

const Output = ({ of: { output } }: { of: Pick<Step, 'output'> }) => (
  <div className="detail-body">
    <Json value={output} label="Output" />
  </div>
);
