import type { TraceRow } from './visible-rows.ts';

const PAGE = 10;

export type KeyAction =
  | { kind: 'go'; row: TraceRow | undefined }
  | { kind: 'toggle'; row: TraceRow }
  | { kind: 'open'; row: TraceRow }
  | { kind: 'close' };

const moves: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  PageDown: (index, last) => Math.min(index + PAGE, last),
  PageUp: (index) => Math.max(index - PAGE, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** What a key does at the row of this index, as in other tree grids (WAI-ARIA); -1: at none yet. */
export function actionOfKey(
  key: string,
  rows: readonly TraceRow[],
  index: number,
): KeyAction | undefined {
  const move = moves[key];
  if (move) return { kind: 'go', row: rows[move(index, rows.length - 1)] };
  if (key === 'Escape') return { kind: 'close' };
  const row = rows[index];
  if (!row) return undefined;
  if (key === 'Enter' || key === ' ') return { kind: 'open', row };
  if (key === 'ArrowRight') return intoRow(rows, index, row);
  if (key === 'ArrowLeft')
    return row.isOpen ? { kind: 'toggle', row } : { kind: 'go', row: rowAbove(rows, row) };
  return undefined;
}

function intoRow(rows: readonly TraceRow[], index: number, row: TraceRow): KeyAction | undefined {
  if (row.isOpen === undefined) return undefined;
  return row.isOpen ? { kind: 'go', row: rows[index + 1] } : { kind: 'toggle', row };
}

/** The parent of a row; for a root, the row itself. */
const rowAbove = (rows: readonly TraceRow[], row: TraceRow): TraceRow =>
  rows.find(({ at }) => at === row.entry.parent) ?? row;
