import { restOfSteps } from '../data/run-sources.ts';
import type { Run, Step } from '../data/run-sources.ts';
import { formatCount } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Json } from '../parts/json.tsx';
import { Section } from '../parts/section.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { useGrowing } from '../parts/use-growing.ts';

interface NumberedStep {
  number: number;
  step: Step;
}

const columns: Column<NumberedStep>[] = [
  { name: 'Step', width: '40%', cell: ({ step }) => <Clipped text={step.step_name} /> },
  { name: 'Recorded', cell: ({ step }) => <Ago at={step.created_at} /> },
];

export function Steps({ run }: { run: Run }) {
  const { items, progress } = useGrowing({
    first: run.steps,
    count: run.counts.steps,
    restTo: restOfSteps(String(run.id)),
  });
  return (
    <Section
      title="Steps"
      count={formatCount(run.counts.steps)}
      empty={items.length === 0 && 'No step was recorded.'}
    >
      <DataTable
        label="Steps"
        columns={columns}
        rows={items.map((step, number) => ({ number, step }))}
        rowKey={({ number }) => String(number)}
        detail={outputOf}
      />
      <ShowMore {...progress} />
    </Section>
  );
}

const outputOf = ({ step: { output } }: NumberedStep) =>
  output && (
    <div className="detail-body">
      <Json value={output} label="Output" />
    </div>
  );
