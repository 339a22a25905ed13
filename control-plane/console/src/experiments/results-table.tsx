import { t } from '@lingui/core/macro';
import type { ExperimentPath, ListedResult } from '../data/experiment-sources.ts';
import { resultList } from '../data/experiment-sources.ts';
import { formatDuration, formatMoneyInShort, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import type { Column } from '../parts/data-table.tsx';
import type { Filters } from '../use-filters.ts';
import { ItemRows, Output } from './item-rows.tsx';
import { ResultContent } from './result-content.tsx';
import { Scores } from './score-text.tsx';

const number = { width: 92, align: 'end' } as const;

const columns: Column<ListedResult>[] = [
  { name: t`Input`, width: '20%', cell: ({ input_preview }) => <Clipped text={input_preview} /> },
  {
    name: t`Expected output`,
    width: '16%',
    cell: ({ expected_preview }) => <Clipped text={expected_preview ?? NONE} />,
  },
  { name: t`Output`, cell: (result) => <Output result={result} /> },
  { name: t`Scores`, width: '22%', cell: ({ scores }) => <Scores scores={scores} /> },
  {
    name: t`Latency`,
    ...number,
    cell: ({ latency_ms }) => (latency_ms === null ? NONE : formatDuration(latency_ms)),
  },
  {
    name: t`Cost`,
    ...number,
    cell: ({ cost, evaluation_cost }) => formatMoneyInShort(cost + evaluation_cost),
  },
];

const contentFor = (path: ExperimentPath) =>
  function Content({ item_id }: ListedResult) {
    return <ResultContent path={{ ...path, item_id }} />;
  };

interface ResultsTableProps {
  path: ExperimentPath;
  filters: Filters;
}

/** Table of the results by item. An expanded row shows the full texts. */
export const ResultsTable = ({ path, filters }: ResultsTableProps) => (
  <ItemRows
    title={t`Results`}
    pages={t`Pages of results`}
    columns={columns}
    source={(query) => resultList(path, query)}
    filters={filters}
    detail={contentFor(path)}
  />
);
