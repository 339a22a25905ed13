import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Fragment, useId, useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ChevronIcon } from '../icons.tsx';
import { minWidthOf } from './table-width.ts';
import { useNarrow, usePhone } from './use-narrow.ts';
import './data-table.css';

export interface Column<Row> {
  name: string;
  /** CSS width; columns without one share the remaining width. */
  width?: number | string;
  align?: 'end';
  /** Hidden in narrow windows. */
  wideOnly?: boolean;
  /** Content of the header, if it differs from the name. */
  header?: ReactNode;
  ariaSort?: 'ascending' | 'descending' | 'none';
  cell: (row: Row) => ReactNode;
}

/** Rows that open in a side panel. */
export interface Opening<Row> {
  onOpen: (row: Row) => void;
  /** Key of the row with the keyboard position; if undefined, `first` is used. */
  current: string | undefined;
  first: string | undefined;
  /** Key of the opened row. */
  open: string | undefined;
}

/** Rows that can be selected for an action on all of them. */
export interface RowSelection<Row> {
  keys: ReadonlySet<string>;
  toggle: (key: string) => void;
  toggleAll: () => void;
  /** Name of a row for the label of its checkbox. */
  nameOf: (row: Row) => string;
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  /** The first column identifies the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowClass?: (row: Row) => string;
  /** Target of the link in the first column; a click anywhere in the row follows it. */
  rowLink?: (row: Row) => string;
  /** Alternative to a link: a click anywhere in the row, or Enter on it, opens the row. */
  opening?: Opening<Row>;
  /** Gives each row a checkbox. */
  selection?: RowSelection<Row>;
  /** Content of the expanded row; null if the row cannot be expanded. */
  detail?: (row: Row) => ReactNode;
  /**
   * Name of a row for the label of its expand button, such as `run 700`. Defaults to the first
   * column.
   */
  rowName?: (row: Row) => string;
  /** True while the rows belong to a previous query. */
  stale?: boolean;
}

const DISCLOSURE_WIDTH = 32;

/**
 * A table whose column widths do not depend on the rows, so that live updates do not change the
 * layout. A table that is wider than its container scrolls; on phones, each row is a card.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => setOpen((open) => open.symmetricDifference(new Set([key])));
  const { label, rows, rowKey, detail, stale, selection } = props;
  const leads = detail ?? selection;
  const [narrow, phone] = [useNarrow(), usePhone()];
  // Removed instead of hidden with CSS, because colSpan counts hidden columns.
  const columns = props.columns.filter(({ wideOnly }) => !(wideOnly && narrow && !phone));
  const leastWidth = minWidthOf(columns) + (leads ? DISCLOSURE_WIDTH : 0);
  const table = (
    <table
      className={stale ? 'table stale' : 'table'}
      style={narrow && !phone ? { minWidth: leastWidth } : undefined}
      aria-label={label}
      aria-busy={stale}
    >
      <colgroup>
        {leads && <col style={{ width: DISCLOSURE_WIDTH }} />}
        {columns.map((column) => (
          <col key={column.name} style={{ width: column.width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {detail && (
            <th scope="col">
              <span className="hidden">
                <Trans>Details</Trans>
              </span>
            </th>
          )}
          {selection && (
            <td className="select-cell">
              <input
                type="checkbox"
                aria-label={t`Choose all rows of this page`}
                checked={rows.length > 0 && selection.keys.size === rows.length}
                onChange={selection.toggleAll}
              />
            </td>
          )}
          {columns.map((column) => (
            <th key={column.name} scope="col" className={column.align} aria-sort={column.ariaSort}>
              {column.header ?? column.name}
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
  // Focusable, so that the keyboard can scroll it. Always the same element, because another one
  // would render all rows again when the window is resized.
  const scrolls = narrow &&
    !phone && { role: 'group', 'aria-label': t`${label}, table`, tabIndex: 0 };
  return (
    <div className="table-scroll" {...scrolls}>
      {table}
    </div>
  );
}

interface TableRowProps<Row> extends DataTableProps<Row> {
  row: Row;
  open: boolean;
  toggle: () => void;
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, rowLink, detail, open, toggle, opening, selection } = props;
  const [, navigate] = useLocation();
  const more = detail?.(row);
  const id = useId();
  const name = props.rowName?.(row);
  const follow = (event: MouseEvent<HTMLElement>) => {
    if (!isPlainClick(event)) return;
    if (rowLink) navigate(rowLink(row));
    else opening?.onOpen(row);
  };
  return (
    <Fragment>
      <tr {...attributesOf(props)} onClick={follow}>
        {detail && (
          <td className="disclosure">
            {more && (
              <button
                type="button"
                id={`${id}button`}
                aria-expanded={open}
                aria-label={name === undefined ? t`Details of` : t`Details of ${name}`}
                aria-labelledby={name === undefined ? `${id}button ${id}name` : undefined}
                onClick={toggle}
              >
                <ChevronIcon />
              </button>
            )}
          </td>
        )}
        {selection && (
          <td className="select-cell">
            <input
              type="checkbox"
              aria-label={t`Choose ${selection.nameOf(row)}`}
              checked={selection.keys.has(props.rowKey(row))}
              onChange={() => selection.toggle(props.rowKey(row))}
            />
          </td>
        )}
        {columns.map((column, at) => {
          const Cell = at === 0 ? 'th' : 'td';
          return (
            <Cell
              key={column.name}
              id={at === 0 ? `${id}name` : undefined}
              scope={at === 0 ? 'row' : undefined}
              className={column.align}
              data-label={column.name}
            >
              {column.cell(row)}
            </Cell>
          );
        })}
      </tr>
      {more && open && (
        <tr className="detail">
          <td colSpan={columns.length + 1}>
            <h2 className="hidden">
              <Trans>Details</Trans>
            </h2>
            {more}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function attributesOf<Row>({ row, rowKey, rowClass, rowLink, opening }: TableRowProps<Row>) {
  if (!opening) return { className: rowLink ? 'leading' : rowClass?.(row) };
  const key = rowKey(row);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) opening.onOpen(row);
  };
  return {
    className: ['leading', key === opening.open && 'chosen', rowClass?.(row)]
      .filter(Boolean)
      .join(' '),
    'data-key': key,
    // The Tab key stops at only one row; j and k move from there.
    tabIndex: key === (opening.current ?? opening.first) ? 0 : -1,
    onKeyDown,
  };
}

/** False for clicks on links and buttons, and for the end of a text selection. */
function isPlainClick({ target }: MouseEvent<HTMLElement>): boolean {
  const onControl =
    target instanceof Element &&
    target.closest('a, button, input, select, label, .select-cell') !== null;
  return !onControl && getSelection()?.type !== 'Range';
}
