import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { experimentDetail } from '../data/experiment-sources.ts';
import type { Experiment, ExperimentPath } from '../data/experiment-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDuration, formatMoney, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Section } from '../parts/section.tsx';
import { differenceOf } from '../runs/run-differences.ts';
import { formatAverage } from '../scores/score-words.ts';
import type { Filters } from '../use-filters.ts';
import { ComparedItems } from './compared-items.tsx';
import { pathOfExperiment } from './experiment-path.ts';
import { ExperimentState } from './experiment-state.tsx';
import { promptText } from './experiments-tab.tsx';

interface Measure {
  name: string;
  left: ReactNode;
  right: ReactNode;
  difference: string;
}

interface ComparedExperimentsProps {
  path: ExperimentPath;
  other: string;
  experiment: Experiment;
  filters: Filters;
}

/** Compares two experiments of a dataset: first their averages, then each item. */
export function ComparedExperiments({
  path,
  other,
  experiment,
  filters,
}: ComparedExperimentsProps) {
  const reading = useQuery(experimentDetail({ ...path, experiment_id: other }));
  return (
    <Loaded reading={reading}>
      {(right) => (
        <>
          <Section title={t`Totals`}>
            <DataTable
              label={t`Totals`}
              columns={columns}
              rows={measuresOf(experiment, right)}
              rowKey={({ name }) => name}
            />
          </Section>
          <ComparedItems {...{ path, other, filters }} />
        </>
      )}
    </Loaded>
  );
}

const columns: Column<Measure>[] = [
  { name: t`Measure`, width: '28%', cell: ({ name }) => <Clipped text={name} /> },
  { name: 'A', align: 'end', cell: ({ left }) => left },
  { name: 'B', align: 'end', cell: ({ right }) => right },
  { name: t`Difference`, align: 'end', cell: ({ difference }) => <Clipped text={difference} /> },
];

function measuresOf(a: Experiment, b: Experiment): Measure[] {
  const both = (name: string, of: (one: Experiment) => string): Measure => ({
    name,
    left: <Clipped text={of(a)} />,
    right: <Clipped text={of(b)} />,
    difference: of(a) === of(b) ? t`Same` : t`Different`,
  });
  const numeric = (
    name: string,
    of: (one: Experiment) => number | null,
    format: (value: number) => string,
  ) => numericMeasure(name, [of(a), of(b)], format);
  return [
    {
      name: t`Experiment`,
      left: <ExperimentLink experiment={a} />,
      right: <ExperimentLink experiment={b} />,
      difference: '',
    },
    {
      name: t`State`,
      left: <ExperimentState {...a} />,
      right: <ExperimentState {...b} />,
      difference: '',
    },
    { ...both(t`Prompt`, promptText), difference: hasSamePrompt(a, b) ? t`Same` : t`Different` },
    both(t`Model`, ({ model }) => model),
    ...scoreNames(a, b).map((name) => numeric(t`Score: ${name}`, averageOf(name), formatAverage)),
    numeric(t`Average latency`, ({ avg_latency_ms }) => avg_latency_ms, formatDuration),
    numeric(t`Cost`, ({ cost }) => cost, formatMoney),
    numeric(t`Tokens`, ({ tokens_in, tokens_out }) => tokens_in + tokens_out, formatCount),
    numeric(t`Failed items`, ({ failed_count }) => failed_count, formatCount),
  ];
}

/** Inline prompts have no name, so their contents are compared. */
const hasSamePrompt = (a: Experiment, b: Experiment): boolean =>
  JSON.stringify(a.content) === JSON.stringify(b.content);

const scoreNames = (...experiments: readonly Experiment[]): string[] => [
  ...new Set(experiments.flatMap(({ scores }) => scores.map(({ name }) => name))),
];

const averageOf =
  (name: string) =>
  ({ scores }: Experiment): number | null =>
    scores.find((score) => score.name === name)?.avg ?? null;

const ExperimentLink = ({ experiment }: { experiment: Experiment }) => (
  <Link to={pathOfExperiment(experiment)}>
    <Clipped text={experiment.name} />
  </Link>
);

const numericMeasure = (
  name: string,
  [left, right]: readonly [number | null, number | null],
  format: (value: number) => string,
): Measure => ({
  name,
  left: left === null ? NONE : format(left),
  right: right === null ? NONE : format(right),
  difference: left === null || right === null ? NONE : differenceOf(left, right, format),
});
