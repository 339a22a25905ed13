import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { ListedResult } from '../data/experiment-sources.ts';
import type { Source } from '../data/query.ts';
import { useQuery } from '../data/use-query.ts';
import { Clipped, State } from '../parts/badge.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Section } from '../parts/section.tsx';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';

const LIMIT = 50;

interface Item {
  item_id: string;
  position: number;
}

interface ItemRowsProps<Row> {
  title: string;
  pages: string;
  columns: readonly Column<Row>[];
  source: (query: { limit: number; offset: number }) => Source<{ results: Row[]; count: number }>;
  filters: Filters;
  /** Renders the full texts of a row. */
  detail: (row: Row) => ReactNode;
}

/** Table of one page of the items of an experiment. An expanded row shows the full texts. */
export function ItemRows<Row extends Item>(props: ItemRowsProps<Row>) {
  const { title, source, filters, ...table } = props;
  const reading = useQuery(source({ limit: LIMIT, offset: offsetOf(filters) }));
  return (
    <Section title={title}>
      <Loaded reading={reading}>
        {(page) => (
          <PagedTable
            {...table}
            label={title}
            {...{ page, filters }}
            limit={LIMIT}
            rowKey={({ item_id }) => item_id}
            rowName={({ position }) => t`item ${position}`}
            stale={reading.stale}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** The beginning of an output, or the reason why there is none. */
export function Output({ result }: { result: ListedResult }) {
  switch (result.status) {
    case 'pending':
      return (
        <span className="muted">
          <Trans>No result</Trans>
        </span>
      );
    case 'failed':
      return (
        <State tone="bad">
          <Clipped text={result.error ?? t`Failed`} />
        </State>
      );
    case 'completed':
      return <Clipped text={result.output_preview} />;
  }
}
