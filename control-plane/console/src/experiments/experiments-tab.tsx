import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Dataset } from '../data/dataset-sources.ts';
import { experimentList } from '../data/experiment-sources.ts';
import type { ListedExperiment } from '../data/experiment-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatDuration, formatMoneyInShort, NONE } from '../format.ts';
import { PlayIcon } from '../icons.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { pathOfExperiment } from './experiment-path.ts';
import { ExperimentState } from './experiment-state.tsx';
import { averagesText } from './score-text.tsx';

const LIMIT = 50;

/** Contains the editors of prompts and settings, so it is loaded only when it is first opened. */
const StartExperiment = lazy(async () => ({
  default: (await import('./start-experiment.tsx')).StartExperiment,
}));

const number = { width: 88, align: 'end' } as const;

const columns: Column<ListedExperiment>[] = [
  {
    name: t`Experiment`,
    width: '20%',
    cell: (experiment) => (
      <Link to={pathOfExperiment(experiment)} className="row-link">
        <Clipped text={experiment.name} />
      </Link>
    ),
  },
  { name: t`State`, width: 150, cell: (experiment) => <ExperimentState {...experiment} /> },
  {
    name: t`Prompt`,
    width: '12%',
    wideOnly: true,
    cell: (one) => <Clipped text={promptText(one)} />,
  },
  { name: t`Model`, width: '11%', wideOnly: true, cell: ({ model }) => <Clipped text={model} /> },
  { name: t`Scores`, cell: (one) => <Clipped text={averagesText(one)} /> },
  {
    name: t`Latency`,
    ...number,
    cell: ({ avg_latency_ms }) => (avg_latency_ms === null ? NONE : formatDuration(avg_latency_ms)),
  },
  {
    name: t`Cost`,
    ...number,
    cell: ({ cost, evaluation_cost }) => formatMoneyInShort(cost + evaluation_cost),
  },
  { name: t`Started`, width: 100, cell: ({ created_at }) => <Ago at={created_at} /> },
];

export const promptText = ({
  prompt_name,
  prompt_version,
}: Pick<ListedExperiment, 'prompt_name' | 'prompt_version'>): string =>
  prompt_name === null ? t`Inline prompt` : `${prompt_name} v${prompt_version}`;

interface ExperimentsTabProps {
  dataset: Dataset;
  filters: Filters;
  /** Whether the user may start experiments. */
  changes: boolean;
}

/** Table of the experiments of a dataset with their averages, newest first. */
export function ExperimentsTab({ dataset, filters, changes }: ExperimentsTabProps) {
  const query = { limit: LIMIT, offset: offsetOf(filters) };
  const reading = useQuery(experimentList(dataset.id, query));
  const [starting, setStarting] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      {changes && (
        <div className="toolbar">
          <button
            type="button"
            className="button primary"
            disabled={dataset.item_count === 0}
            onClick={() => setStarting(true)}
          >
            <PlayIcon />
            <Trans>Start experiment</Trans>
          </button>
          {dataset.item_count === 0 && (
            <span className="muted">
              <Trans>Add items first.</Trans>
            </span>
          )}
        </div>
      )}
      <Loaded reading={reading}>
        {(page) =>
          page.count === 0 ? (
            <Empty title={t`No experiments yet`}>
              <p>
                <Trans>
                  An experiment runs a prompt and a model over all items and scores the outputs.
                </Trans>
              </p>
            </Empty>
          ) : (
            <PagedTable
              label={t`Experiments`}
              pages={t`Pages of experiments`}
              columns={columns}
              {...{ page, filters }}
              limit={LIMIT}
              rowKey={({ id }) => id}
              rowLink={(one) => pathOfExperiment(one)}
              stale={reading.stale}
            />
          )
        }
      </Loaded>
      {starting && (
        <Suspense fallback={null}>
          <StartExperiment
            dataset={dataset}
            onStarted={(started) => navigate(pathOfExperiment(started))}
            onClose={() => setStarting(false)}
          />
        </Suspense>
      )}
    </>
  );
}
