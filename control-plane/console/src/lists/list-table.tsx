import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '@lingui/core/macro';
import { ArrowUpIcon } from '../icons.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { RowSelection, Column } from '../parts/data-table.tsx';
import { usePhone } from '../parts/use-narrow.ts';
import type { Filters } from '../use-filters.ts';
import type { ListColumn } from './columns.ts';
import { shownColumns } from './columns.ts';
import { useListSettings } from './list-settings.ts';
import { adjacentKey, useListKeys } from './use-list-keys.ts';
import { SidePanel } from './side-panel.tsx';
import { ariaSortOf, toggleSort } from './sort-order.ts';
import { Select } from '../parts/choice.tsx';
import './list-table.css';

export interface RowPanel {
  title: string;
  page?: string;
  content: ReactNode;
}

interface ListTableProps<Row> {
  /** Key of the list in the stored settings. */
  list: string;
  /** Accessible name of the table. */
  label: string;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowClass?: (row: Row) => string;
  filters: Filters;
  /** The default sort order as in the URL; undefined if the list cannot be sorted. */
  firstSort?: string;
  /** Returns the panel of a row, or of a key in the URL whose row is not on this page. */
  panel: (key: string, row: Row | undefined) => RowPanel;
  selection?: RowSelection<Row>;
  stale: boolean;
}

/**
 * A list: headers sort it, a row opens in a side panel, and `j` and `k` move between rows. The URL
 * contains the sort order and the opened row, the stored settings contain columns and density.
 */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { list, columns, rows, rowKey, filters, firstSort = '', panel } = props;
  const { columns: chosen, density } = useListSettings(list);
  const phone = usePhone();
  const place = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const keys = rows.map(rowKey);
  const open = filters.get('open') || undefined;
  const current = open ?? active;

  const show = (key: string, replace: boolean) => {
    setActive(key);
    filters.set({ open: key, offset: filters.get('offset') }, { replace });
  };
  const close = () => {
    if (open === undefined) return;
    setActive(open);
    filters.set({ open: '', offset: filters.get('offset') });
    focusRow(place.current, open);
  };
  const move = (step: 1 | -1) => {
    const key = adjacentKey(keys, current, step);
    if (key === undefined) return;
    if (open === undefined) setActive(key);
    // Moving from row to row replaces the history entry, so that Back leaves the panel.
    else show(key, true);
    focusRow(place.current, key, open === undefined);
  };
  useListKeys({ onMove: move, onClose: close });
  useEffect(() => {
    if (open !== undefined) rowOf(place.current, open)?.scrollIntoView({ block: 'nearest' });
  }, [open]);

  const sort = filters.get('sort') || firstSort;
  const shown =
    open === undefined
      ? undefined
      : panel(
          open,
          rows.find((row) => rowKey(row) === open),
        );
  return (
    <div ref={place} className={density === 'compact' ? 'list compact' : 'list'}>
      {phone && <SortChoice columns={columns} sort={filters.get('sort')} filters={filters} />}
      <DataTable
        label={props.label}
        columns={shownColumns(columns, chosen).map((column) => tableColumn(column, sort, filters))}
        rows={rows}
        rowKey={rowKey}
        opening={{ onOpen: (row) => show(rowKey(row), false), current, first: keys[0], open }}
        {...(props.rowClass && { rowClass: props.rowClass })}
        {...(props.selection && { selection: props.selection })}
        stale={props.stale}
      />
      {shown && (
        <SidePanel
          title={shown.title}
          {...(shown.page !== undefined && { page: shown.page })}
          onMove={move}
          onClose={close}
        >
          {shown.content}
        </SidePanel>
      )}
    </div>
  );
}

const rowOf = (place: HTMLElement | null, key: string) =>
  place?.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"]`);

function focusRow(place: HTMLElement | null, key: string, focus = true): void {
  const row = rowOf(place, key);
  row?.scrollIntoView({ block: 'nearest' });
  if (focus) row?.focus({ preventScroll: true });
}

function tableColumn<Row>(column: ListColumn<Row>, current: string, filters: Filters): Column<Row> {
  const { label, width, numeric, cell, sort, descends } = column;
  const plain = {
    name: label,
    cell,
    ...(width !== undefined && { width }),
    ...(numeric && { align: 'end' as const }),
  };
  if (sort === undefined) return plain;
  const state = ariaSortOf(current, sort);
  const onClick = () =>
    filters.set({ sort: toggleSort(current, { sort, descends: descends === true }) });
  const header = (
    <button type="button" className={`sort-button ${state}`} onClick={onClick}>
      {label}
      <ArrowUpIcon />
    </button>
  );
  return { ...plain, header, ariaSort: state };
}

interface SortChoiceProps {
  columns: readonly Pick<ListColumn<never>, 'label' | 'sort' | 'descends'>[];
  /** The current sort order as in the URL. */
  sort: string;
  filters: Filters;
}

/** Selection field for the sort order, for layouts without headers. */
function SortChoice({ columns, sort, filters }: SortChoiceProps) {
  const options = columns.flatMap(({ label, sort: field, descends }) => {
    if (field === undefined) return [];
    const down = { id: `-${field}`, name: t`${label}, descending` };
    const up = { id: field, name: t`${label}, ascending` };
    return descends ? [down, up] : [up, down];
  });
  if (options.length === 0) return null;
  return (
    <div className="sort-choice">
      <Select
        label={t`Sort by`}
        all={t`Default order`}
        options={options}
        value={sort}
        onChange={(sort) => filters.set({ sort })}
      />
    </div>
  );
}
