import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { allExperiments, experimentDetail } from '../data/experiment-sources.ts';
import type { Experiment, ExperimentPath } from '../data/experiment-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDuration, formatMoney, NONE } from '../format.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Select } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { KeyFigures } from '../parts/key-figures.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { ComparedExperiments } from './compared-experiments.tsx';
import { ExperimentActions } from './experiment-actions.tsx';
import { ExperimentState } from './experiment-state.tsx';
import { promptText } from './experiments-tab.tsx';
import { ResultsTable } from './results-table.tsx';
import { averageText } from './score-text.tsx';
import './experiment-page.css';

/**
 * Page of one experiment with its results, or of two side by side. The id of the other is in the
 * URL.
 */
export function ExperimentPage({ id, user }: { id: string; user: User }) {
  const filters = useFilters();
  const dataset_id = filters.get('dataset');
  if (dataset_id === '')
    return (
      <Page title={t`Experiment`} parent={{ name: t`Datasets`, to: '/datasets' }}>
        <Empty title={t`The URL contains no dataset`}>
          <p>
            <Trans>
              Open the experiment from <Link to="/datasets">its dataset</Link>.
            </Trans>
          </p>
        </Empty>
      </Page>
    );
  return <OfDataset path={{ dataset_id, experiment_id: id }} user={user} filters={filters} />;
}

interface OfDatasetProps {
  path: ExperimentPath;
  user: User;
  filters: Filters;
}

function OfDataset({ path, user, filters }: OfDatasetProps) {
  const reading = useQuery(experimentDetail(path));
  const experiment = reading.data;
  const other = filters.get('other');
  return (
    <Page
      title={experiment?.name ?? t`Experiment`}
      parent={{ name: t`Dataset`, to: `${pathTo('datasets', path.dataset_id)}?tab=experiments` }}
      aside={
        experiment &&
        mayWrite(user) && (
          <ExperimentActions {...{ experiment, path }} onChanged={reading.refetch} />
        )
      }
    >
      <Loaded reading={reading}>
        {(experiment) => (
          <>
            <CompareWith {...{ path, filters, other }} />
            {other === '' ? (
              <>
                <Summary experiment={experiment} />
                {experiment.scores.length > 0 && <AverageScores scores={experiment.scores} />}
                <ResultsTable {...{ path, filters }} />
              </>
            ) : (
              <ComparedExperiments {...{ path, filters, other, experiment }} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ experiment }: { experiment: Experiment }) {
  const { model, avg_latency_ms, tokens_in, tokens_out, cost, evaluation_cost } = experiment;
  return (
    <>
      <KeyFigures
        numbers={[
          [t`State`, <ExperimentState key="state" {...experiment} />],
          [t`Average latency`, avg_latency_ms === null ? NONE : formatDuration(avg_latency_ms)],
          [t`Tokens`, formatCount(tokens_in + tokens_out)],
          [t`Cost`, formatMoney(cost)],
          ...(evaluation_cost > 0
            ? [[t`Cost of judging`, formatMoney(evaluation_cost)] as const]
            : []),
        ]}
      />
      <section className="card" aria-label={t`Settings`}>
        <h2 className="hidden">
          <Trans>Settings</Trans>
        </h2>
        <Facts
          facts={[
            [t`Model`, model],
            [t`Prompt`, <PromptLink key="prompt" experiment={experiment} />],
            [t`Started`, <Ago key="started" at={experiment.created_at} />],
            [t`By`, <Clipped key="by" text={experiment.created_by} />],
          ]}
        />
        <details className="experiment-plan">
          <summary>
            <Trans>Prompt, settings and evaluators</Trans>
          </summary>
          <Recorded label={t`experiment`} sources={planOf(experiment)} />
        </details>
      </section>
    </>
  );
}

/** The full settings of the experiment. */
const planOf = ({ content, config, evaluators }: Experiment): Source[] => [
  ...(content === null ? [] : [{ title: t`Prompt`, value: content, role: 'user' as const }]),
  { title: t`Settings`, value: config, role: null },
  ...(evaluators.length === 0 ? [] : [{ title: t`Evaluators`, value: evaluators, role: null }]),
];

function PromptLink({ experiment }: { experiment: Experiment }) {
  const { prompt_id, content } = experiment;
  const text =
    content === null ? t`None (the messages of each item are sent)` : promptText(experiment);
  if (prompt_id === null) return <Text>{text}</Text>;
  return (
    <Link to={pathTo('prompts', prompt_id)}>
      <Text>{text}</Text>
    </Link>
  );
}

const columns: Column<Experiment['scores'][number]>[] = [
  { name: t`Evaluator`, cell: ({ name }) => <Clipped text={name} /> },
  { name: t`Average`, width: 110, align: 'end', cell: ({ avg }) => averageText(avg) },
  { name: t`Items`, width: 90, align: 'end', cell: ({ count }) => formatCount(count) },
  { name: t`Errors`, width: 90, align: 'end', cell: ({ error_count }) => formatCount(error_count) },
];

const AverageScores = ({ scores }: Pick<Experiment, 'scores'>) => (
  <Section title={t`Scores`}>
    <DataTable label={t`Scores`} columns={columns} rows={scores} rowKey={({ name }) => name} />
  </Section>
);

interface CompareWithProps {
  path: ExperimentPath;
  filters: Filters;
  other: string;
}

function CompareWith({ path, filters, other }: CompareWithProps) {
  const { data = [] } = useQuery(allExperiments(path.dataset_id));
  const options = data.filter(({ id }) => id !== path.experiment_id);
  if (options.length === 0 && other === '') return null;
  return (
    <div className="toolbar">
      <Select
        label={t`Compare with`}
        all={t`Compare with…`}
        options={options}
        value={other}
        onChange={(other) => filters.set({ other })}
      />
    </div>
  );
}
