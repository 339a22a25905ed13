import type { Run } from '../data/sources.ts';
import { formatCount } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Json } from '../parts/json.tsx';
import { Section } from '../parts/section.tsx';

interface NumberedStep {
  number: number;
  step: Run['steps'][number];
}

const columns: Column<NumberedStep>[] = [
  { name: 'Step', width: '40%', cell: ({ step }) => <Clipped text={step.step_name} /> },
  { name: 'Recorded', cell: ({ step }) => <Ago at={step.created_at} /> },
];

export function Steps({ steps }: { steps: Run['steps'] }) {
  return (
    <Section
      title="Steps"
      count={formatCount(steps.length)}
      empty={steps.length === 0 && 'No step was recorded.'}
    >
      <DataTable
        label="Steps"
        columns={columns}
        rows={steps.map((step, number) => ({ number, step }))}
        rowKey={({ number }) => String(number)}
        detail={outputOf}
      />
    </Section>
  );
}

const outputOf = ({ step: { output } }: NumberedStep) =>
  output && (
    <div className="detail-body">
      <Json value={output} label="Output" />
    </div>
  );
