import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { DataTable } from './data-table.tsx';
import type { DataTableProps } from './data-table.tsx';
import { Pager } from './page.tsx';

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  page: { results: readonly Row[]; count: number };
  limit: number;
  /** Filters in the URL, which include the offset. */
  filters: Filters;
  /** Accessible name of the pager. */
  pages: string;
}

/** A table with one page of a list. The offset is in the URL. */
export function PagedTable<Row>({ page, limit, filters, pages, ...table }: PagedTableProps<Row>) {
  return (
    <>
      <DataTable {...table} rows={page.results} />
      <Pager
        label={pages}
        offset={offsetOf(filters)}
        count={page.count}
        limit={limit}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
    </>
  );
}
