import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { Run } from '../data/run-sources.ts';
import { formatCount, formatDuration, formatMoney, NONE } from '../format.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Elapsed } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { formatAverage } from '../scores/score-words.ts';
import { averageLatency, differenceOf } from './run-differences.ts';
import type { ComparedRun } from './run-differences.ts';
import { RunState } from './run-state.tsx';
import { summaryText } from './score-summary.tsx';

interface Measure {
  name: string;
  left: ReactNode;
  right: ReactNode;
  difference: string;
}

const columns: Column<Measure>[] = [
  { name: t`Measure`, width: '28%', cell: ({ name }) => <Clipped text={name} /> },
  { name: t`Run A`, align: 'end', cell: ({ left }) => left },
  { name: t`Run B`, align: 'end', cell: ({ right }) => right },
  { name: t`Difference`, align: 'end', cell: ({ difference }) => <Clipped text={difference} /> },
];

interface ComparedTotalsProps {
  left: ComparedRun;
  right: ComparedRun;
}

/** Shows the totals of two runs with their differences. */
export const ComparedTotals = (runs: ComparedTotalsProps) => (
  <Section title={t`Totals`}>
    <DataTable
      label={t`Totals`}
      columns={columns}
      rows={measuresOf(runs)}
      rowKey={({ name }) => name}
    />
  </Section>
);

function measuresOf({ left, right }: ComparedTotalsProps): Measure[] {
  const [one, other] = [left.run, right.run];
  const numeric = (
    name: string,
    of: (compared: ComparedRun) => number | null,
    format: (value: number) => string,
  ) => numericMeasure(name, [of(left), of(right)], format);
  const duration = numeric(t`Duration`, ({ run }) => msOf(run), formatDuration);
  return [
    {
      name: t`Status`,
      left: <RunState status={one.status} />,
      right: <RunState status={other.status} />,
      difference: sameness(one.status, other.status),
    },
    {
      name: t`Policy verdict`,
      left: verdictText(one),
      right: verdictText(other),
      difference: sameness(one.verdict, other.verdict),
    },
    { ...duration, left: <RunTime run={one} />, right: <RunTime run={other} /> },
    numeric(t`Average latency of LLM calls`, averageLatency, formatDuration),
    numeric(t`Cost`, ({ run }) => run.cost, formatMoney),
    numeric(t`Tokens`, ({ run }) => run.tokens, formatCount),
    numeric(t`LLM calls`, ({ run }) => run.llm_call_count, formatCount),
    numeric(t`Errors`, ({ run }) => run.error_count, formatCount),
    numeric(t`Incidents`, ({ run }) => run.counts.incidents, formatCount),
    ...scoreMeasures(one, other),
  ];
}

const RunTime = ({ run }: { run: Run }) => <Elapsed from={run.started_at} to={run.completed_at} />;

const verdictText = ({ verdict }: Run): ReactNode =>
  verdict === null ? NONE : <ActionBadge action={verdict} />;

const sameness = (one: string | null, other: string | null): string =>
  one === other ? t`Same` : t`Different`;

const msOf = ({ duration }: Run): number | null => (duration === null ? null : duration * 1000);

function numericMeasure(
  name: string,
  [left, right]: readonly [number | null, number | null],
  format: (value: number) => string,
): Measure {
  return {
    name,
    left: left === null ? NONE : format(left),
    right: right === null ? NONE : format(right),
    difference: left === null || right === null ? NONE : differenceOf(left, right, format),
  };
}

function scoreMeasures(one: Run, other: Run): Measure[] {
  const names = [...one.score_summaries, ...other.score_summaries].map(({ name }) => name);
  return [...new Set(names)].sort().map((name): Measure => {
    const [left, right] = [one, other].map(({ score_summaries }) =>
      score_summaries.find((score) => score.name === name),
    );
    const texts = [left, right].map((score) => (score ? summaryText(score) : NONE));
    const averages = [left?.average ?? null, right?.average ?? null] as const;
    const isNumeric = averages.some((average) => average !== null);
    return {
      name: t`Score: ${name}`,
      left: <Clipped text={texts[0] ?? NONE} />,
      right: <Clipped text={texts[1] ?? NONE} />,
      difference: isNumeric
        ? numericMeasure(name, averages, formatAverage).difference
        : sameness(texts[0] ?? null, texts[1] ?? null),
    };
  });
}
