import type { ReactNode } from 'react';

/** A column of a list. The first column identifies the row and is always shown. */
export interface ListColumn<Row> {
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** The field that the service sorts by; undefined if it cannot. */
  sort?: string;
  /** Whether the first click on the header sorts in descending order, as for numbers and times. */
  descends?: boolean;
  /** Whether the cells are aligned at their end. */
  numeric?: boolean;
  width?: number | string;
  /** Whether the column is hidden until the user chooses it. */
  hidden?: boolean;
}

type Shown = Pick<ListColumn<never>, 'id' | 'hidden'>;

/**
 * The columns to show: those the user has chosen, otherwise all that are not hidden by default.
 * Unknown ids are dropped.
 */
export function shownColumns<C extends Shown>(
  columns: readonly C[],
  chosen: readonly string[] | undefined,
): C[] {
  return columns.filter(({ id, hidden }, at) =>
    at === 0 ? true : chosen ? chosen.includes(id) : hidden !== true,
  );
}
