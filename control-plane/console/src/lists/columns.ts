import type { ReactNode } from 'react';

/** A column of a list. The first column names the row and is always shown. */
export interface ListColumn<Row> {
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** The field that the service sorts by; undefined if it cannot. */
  sort?: string;
  /** A number or a time: the first click on its header puts the largest first. */
  descends?: boolean;
  /** Aligned at its end. */
  numeric?: boolean;
  width?: number | string;
  /** Not shown until it is chosen. */
  hidden?: boolean;
}

type Shown = Pick<ListColumn<never>, 'id' | 'hidden'>;

/** The columns to show: those chosen, or else those that are not hidden. Unknown ids are dropped. */
export function shownColumns<C extends Shown>(
  columns: readonly C[],
  chosen: readonly string[] | undefined,
): C[] {
  return columns.filter(({ id, hidden }, at) =>
    at === 0 ? true : chosen ? chosen.includes(id) : hidden !== true,
  );
}
