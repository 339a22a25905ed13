import type { ReactNode } from 'react';
import { MAX_EXPORTED_GROUPS } from '#contract/analytics.ts';
import type { ViewedList } from '../data/list-view-sources.ts';
import type { LoadedList } from '../data/load-pages.ts';
import type { Source } from '../data/query.ts';
import { useQuery } from '../data/use-query.ts';
import type { ListColumn } from '../lists/columns.ts';
import { CountHistogram, type Counts } from '../lists/count-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { ListTable, type RowPanel } from '../lists/list-table.tsx';
import { type ListTimes, rangedTimeOf, shownTimeOf } from '../lists/list-times.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { queryOf, type TimeRange, timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import { type ListFilter, listFilterOf, ListToolbar } from './list-toolbar.tsx';

const LIMIT = 50;

type GroupFilter<Time extends string> = Omit<ListFilter<never>, 'sort'> & { time?: Time };

interface GroupListPageProps<Row, Sort extends string, Time extends string> {
  list: ViewedList;
  title: string;
  /** Formats a number of rows as words. */
  formatCount: (count: number) => string;
  searchLabel: string;
  pagerLabel: string;
  /** The times of a row that the list can filter by. */
  times: ListTimes<Time>;
  sorts: readonly Sort[];
  firstSort: Sort;
  columns: readonly ListColumn<Row>[];
  rowKey: (row: Row) => string;
  /** Path of the export route. */
  exportPath: string;
  rowsOf: (
    filter: GroupFilter<Time> & { sort?: Sort; limit: number; offset: number },
    range: TimeRange,
  ) => Source<LoadedList<Row>>;
  countsOf: (filter: GroupFilter<Time> & { by: Time }, range: TimeRange) => Source<Counts>;
  panel: (key: string) => RowPanel;
  /** Title of an empty list with filters. */
  noMatch: string;
  /** Content of an empty list without filters. */
  empty: ReactNode;
}

/** Page with a list of groups of runs: sessions or end users. */
export function GroupListPage<Row, Sort extends string, Time extends string>({
  list,
  title,
  formatCount,
  searchLabel,
  pagerLabel,
  times,
  columns,
  ...page
}: GroupListPageProps<Row, Sort, Time>) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const { sort, ...found } = listFilterOf(filters, page.sorts);
  const selected = { ...found, ...rangedTimeOf(filters, times) };
  const [filter, range] = [{ ...selected, ...(sort && { sort }) }, timeRangeOf(filters)];
  const reading = useQuery(page.rowsOf({ limit: LIMIT, offset, ...filter }, range));
  const by = shownTimeOf(filters, times);
  const { data: counts } = useQuery(page.countsOf({ ...selected, by }, range));
  const filtered = Boolean(filter.search ?? filter.agent) || Object.keys(range).length > 0;
  return (
    <Page
      title={title}
      aside={reading.data && <span className="muted">{formatCount(reading.data.count)}</span>}
    >
      <ListToolbar
        filters={filters}
        times={times}
        searchLabel={searchLabel}
        controls={
          <ListActions
            list={list}
            columns={columns}
            count={reading.data?.count}
            most={MAX_EXPORTED_GROUPS}
            path={page.exportPath}
            query={() => ({ ...filter, ...queryOf(range, Date.now()) })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={formatCount}
        times={times}
        range={range}
        filters={filters}
      />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            filtered ? (
              <Empty title={page.noMatch} />
            ) : (
              page.empty
            )
          ) : (
            <>
              <ListTable
                list={list}
                label={title}
                columns={columns}
                rows={results}
                rowKey={page.rowKey}
                filters={filters}
                firstSort={page.firstSort}
                panel={page.panel}
                stale={reading.stale}
              />
              <Pager
                label={pagerLabel}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
