import { Fragment, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ChevronIcon } from '../icons.tsx';
import { useNarrow } from './use-narrow.ts';

export interface Column<Row> {
  name: string;
  /** CSS width; the columns without one share what is left. */
  width?: number | string;
  align?: 'end';
  /** Left out where the window is narrow. */
  wideOnly?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  /** What the rows are, for those who cannot see the page. */
  label: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowClass?: (row: Row) => string;
  /** Where the link in the first column leads: so does a click anywhere in the row. */
  rowLink?: (row: Row) => string;
  /** Shown below the row when it is opened; null for a row that has none. */
  detail?: (row: Row) => ReactNode;
  /** While rows of a former choice are shown. */
  stale?: boolean;
}

/** Columns keep their width whatever the rows hold, so that live rows move nothing. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => setOpen((open) => open.symmetricDifference(new Set([key])));
  const { label, rows, rowKey, detail, stale } = props;
  const narrow = useNarrow();
  // Left out rather than hidden: a cell that spans all columns would count hidden ones.
  const columns = props.columns.filter(({ wideOnly }) => !(wideOnly && narrow));
  return (
    <table className={stale ? 'table stale' : 'table'} aria-label={label} aria-busy={stale}>
      <colgroup>
        {detail && <col style={{ width: 32 }} />}
        {columns.map((column) => (
          <col key={column.name} style={{ width: column.width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {detail && (
            <th scope="col">
              <span className="hidden">Details</span>
            </th>
          )}
          {columns.map((column) => (
            <th key={column.name} scope="col" className={column.align}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = rowKey(row);
          return (
            <TableRow
              key={key}
              {...props}
              columns={columns}
              row={row}
              open={open.has(key)}
              toggle={() => toggle(key)}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface TableRowProps<Row> extends DataTableProps<Row> {
  row: Row;
  open: boolean;
  toggle: () => void;
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, rowClass, rowLink, detail, open, toggle } = props;
  const [, navigate] = useLocation();
  const more = detail?.(row);
  const follow = (event: MouseEvent<HTMLElement>) => {
    if (rowLink && isPlainClick(event)) navigate(rowLink(row));
  };
  return (
    <Fragment>
      <tr className={rowLink ? 'leading' : rowClass?.(row)} onClick={follow}>
        {detail && (
          <td className="disclosure">
            {more && (
              <button type="button" aria-expanded={open} aria-label="Details" onClick={toggle}>
                <ChevronIcon />
              </button>
            )}
          </td>
        )}
        {columns.map((column, at) => {
          const Cell = at === 0 ? 'th' : 'td';
          return (
            <Cell key={column.name} scope={at === 0 ? 'row' : undefined} className={column.align}>
              {column.cell(row)}
            </Cell>
          );
        })}
      </tr>
      {more && open && (
        <tr className="detail">
          <td colSpan={columns.length + 1}>{more}</td>
        </tr>
      )}
    </Fragment>
  );
}

/** Not on something that has a meaning of its own, and not at the end of selecting text. */
function isPlainClick({ target }: MouseEvent<HTMLElement>): boolean {
  const onControl = target instanceof Element && target.closest('a, button') !== null;
  return !onControl && getSelection()?.type !== 'Range';
}
