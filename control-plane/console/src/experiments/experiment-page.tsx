import { Link } from 'wouter';
import { everyExperiment, experimentDetail } from '../data/experiment-sources.ts';
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
import { Numbers } from '../parts/numbers.tsx';
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

/** One experiment with its results, or two side by side: the other's id is in the URL. */
export function ExperimentPage({ id, user }: { id: string; user: User }) {
  const filters = useFilters();
  const dataset_id = filters.get('dataset');
  if (dataset_id === '')
    return (
      <Page title="Experiment" parent={{ name: 'Datasets', to: '/datasets' }}>
        <Empty title="The URL names no dataset">
          <p>
            Open the experiment from <Link to="/datasets">its dataset</Link>.
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
      title={experiment?.name ?? 'Experiment'}
      parent={{ name: 'Dataset', to: `${pathTo('datasets', path.dataset_id)}?tab=experiments` }}
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
      <Numbers
        numbers={[
          ['State', <ExperimentState key="state" {...experiment} />],
          ['Average latency', avg_latency_ms === null ? NONE : formatDuration(avg_latency_ms)],
          ['Tokens', formatCount(tokens_in + tokens_out)],
          ['Cost', formatMoney(cost)],
          ...(evaluation_cost > 0
            ? [['Cost of judging', formatMoney(evaluation_cost)] as const]
            : []),
        ]}
      />
      <section className="card" aria-label="Settings">
        <h2 className="hidden">Settings</h2>
        <Facts
          facts={[
            ['Model', model],
            ['Prompt', <PromptLink key="prompt" experiment={experiment} />],
            ['Started', <Ago key="started" at={experiment.created_at} />],
            ['By', <Clipped key="by" text={experiment.created_by} />],
          ]}
        />
        <details className="experiment-plan">
          <summary>Prompt, settings and evaluators</summary>
          <Recorded label="experiment" sources={planOf(experiment)} />
        </details>
      </section>
    </>
  );
}

/** What the experiment runs, in full. */
const planOf = ({ content, config, evaluators }: Experiment): Source[] => [
  ...(content === null ? [] : [{ title: 'Prompt', value: content, role: 'user' as const }]),
  { title: 'Settings', value: config, role: null },
  ...(evaluators.length === 0 ? [] : [{ title: 'Evaluators', value: evaluators, role: null }]),
];

function PromptLink({ experiment }: { experiment: Experiment }) {
  const { prompt_id, content } = experiment;
  const text = content === null ? 'None: messages of the items' : promptText(experiment);
  if (prompt_id === null) return <Text>{text}</Text>;
  return (
    <Link to={pathTo('prompts', prompt_id)}>
      <Text>{text}</Text>
    </Link>
  );
}

const columns: Column<Experiment['scores'][number]>[] = [
  { name: 'Evaluator', cell: ({ name }) => <Clipped text={name} /> },
  { name: 'Average', width: 110, align: 'end', cell: ({ avg }) => averageText(avg) },
  { name: 'Items', width: 90, align: 'end', cell: ({ count }) => formatCount(count) },
  { name: 'Errors', width: 90, align: 'end', cell: ({ error_count }) => formatCount(error_count) },
];

const AverageScores = ({ scores }: Pick<Experiment, 'scores'>) => (
  <Section title="Scores">
    <DataTable label="Scores" columns={columns} rows={scores} rowKey={({ name }) => name} />
  </Section>
);

interface CompareWithProps {
  path: ExperimentPath;
  filters: Filters;
  other: string;
}

function CompareWith({ path, filters, other }: CompareWithProps) {
  const { data = [] } = useQuery(everyExperiment(path.dataset_id));
  const options = data.filter(({ id }) => id !== path.experiment_id);
  if (options.length === 0 && other === '') return null;
  return (
    <div className="toolbar">
      <Select
        label="Compare with"
        all="Compare with…"
        options={options}
        value={other}
        onChange={(other) => filters.set({ other })}
      />
    </div>
  );
}
