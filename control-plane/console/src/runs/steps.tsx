import { t } from '@lingui/core/macro';
import { remainingSteps } from '../data/run-sources.ts';
import type { Run, Step } from '../data/run-sources.ts';
import { formatCount } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { ShowMore, useIncrementalList } from '../parts/show-more.tsx';
import { StepOutput } from './step-output.tsx';

const columns: Column<Step>[] = [
  { name: t`Step`, width: '40%', cell: ({ step_name }) => <Clipped text={step_name} /> },
  { name: t`Recorded`, cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function Steps({ run }: { run: Run }) {
  const id = String(run.id);
  const { items, progress } = useIncrementalList({
    first: run.steps,
    count: run.counts.steps,
    remainingTo: remainingSteps(id),
  });
  return (
    <Section
      title={t`Steps`}
      count={formatCount(run.counts.steps)}
      empty={items.length === 0 && t`No steps were recorded.`}
    >
      <DataTable
        label={t`Steps`}
        columns={columns}
        rows={items}
        rowKey={(step) => String(step.id)}
        detail={outputOf(id)}
      />
      <ShowMore {...progress} />
    </Section>
  );
}

const outputOf = (run: string) => (step: Step) =>
  (step.output !== null || step.truncated) && <StepOutput run={run} step={step} />;
