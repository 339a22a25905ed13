import type { ExperimentPath, ListedResult } from '../data/experiment-sources.ts';
import { resultList } from '../data/experiment-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatDuration, formatMoneyInShort, NONE } from '../format.ts';
import { Clipped, State } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { ResultContent } from './result-content.tsx';
import { Scores } from './score-text.tsx';

const LIMIT = 50;
const number = { width: 92, align: 'end' } as const;

const columns: Column<ListedResult>[] = [
  { name: 'Input', width: '20%', cell: ({ input_preview }) => <Clipped text={input_preview} /> },
  {
    name: 'Expected output',
    width: '16%',
    cell: ({ expected_preview }) => <Clipped text={expected_preview ?? NONE} />,
  },
  { name: 'Output', cell: (result) => <Output result={result} /> },
  { name: 'Scores', width: '22%', cell: ({ scores }) => <Scores scores={scores} /> },
  {
    name: 'Latency',
    ...number,
    cell: ({ latency_ms }) => (latency_ms === null ? NONE : formatDuration(latency_ms)),
  },
  {
    name: 'Cost',
    ...number,
    cell: ({ cost, evaluation_cost }) => formatMoneyInShort(cost + evaluation_cost),
  },
];

/** The beginning of an output, or why there is none. */
export function Output({ result }: { result: ListedResult }) {
  switch (result.status) {
    case 'pending':
      return <span className="muted">No result</span>;
    case 'failed':
      return (
        <State tone="bad">
          <Clipped text={result.error ?? 'Failed'} />
        </State>
      );
    case 'completed':
      return <Clipped text={result.output_preview} />;
  }
}

const contentFor = (path: ExperimentPath) =>
  function Content({ item_id }: ListedResult) {
    return <ResultContent path={{ ...path, item_id }} />;
  };

interface ResultsTableProps {
  path: ExperimentPath;
  filters: Filters;
}

/** Item by item; an expanded row has the texts in full. */
export function ResultsTable({ path, filters }: ResultsTableProps) {
  const offset = offsetOf(filters);
  const reading = useQuery(resultList(path, { limit: LIMIT, offset }));
  return (
    <Section title="Results">
      <Loaded reading={reading}>
        {({ results, count }) => (
          <>
            <DataTable
              label="Results"
              columns={columns}
              rows={results}
              rowKey={({ item_id }) => item_id}
              rowName={({ position }) => `item ${position}`}
              detail={contentFor(path)}
              stale={reading.stale}
            />
            <Pager
              label="Pages of results"
              {...{ offset, count }}
              limit={LIMIT}
              onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
