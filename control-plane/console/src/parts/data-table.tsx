import { Fragment, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ChevronIcon } from '../icons.tsx';
import { useNarrow } from './use-narrow.ts';

export interface Column<Row> {
  name: string;
  /** CSS width; columns without one share the remaining width. */
  width?: number | string;
  align?: 'end';
  /** Hidden in narrow windows. */
  wideOnly?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowClass?: (row: Row) => string;
  /** Target of the link in the first column; a click anywhere in the row follows it. */
  rowLink?: (row: Row) => string;
  /** Content of the expanded row; null for a row without details. */
  detail?: (row: Row) => ReactNode;
  /** True while the rows belong to a previous query. */
  stale?: boolean;
}

/** Column widths do not depend on the rows, so that live updates do not move the layout. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => setOpen((open) => open.symmetricDifference(new Set([key])));
  const { label, rows, rowKey, detail, stale } = props;
  const narrow = useNarrow();
  // Removed instead of hidden with CSS: colSpan would count hidden columns.
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

/** False for clicks on links and buttons, and for the end of a text selection. */
function isPlainClick({ target }: MouseEvent<HTMLElement>): boolean {
  const onControl = target instanceof Element && target.closest('a, button') !== null;
  return !onControl && getSelection()?.type !== 'Range';
}
