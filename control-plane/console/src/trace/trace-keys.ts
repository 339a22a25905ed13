import type { TraceRow } from './visible-rows.ts';
import type { TraceNode } from '../runs/trace-tree.ts';
import { panned, zoomAround, zoomBetween } from './time-axis.ts';
import type { TimeAxis, Zoom } from './time-axis.ts';

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

/**
 * The action of a key at the row with this index, following the WAI-ARIA tree grid pattern. Index
 * -1 means that there is no current row.
 */
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
  if (key === 'ArrowRight') return expandRow(rows, index, row);
  if (key === 'ArrowLeft')
    return row.isOpen ? { kind: 'toggle', row } : { kind: 'go', row: rowAbove(rows, row) };
  return undefined;
}

function expandRow(rows: readonly TraceRow[], index: number, row: TraceRow): KeyAction | undefined {
  if (row.isOpen === undefined) return undefined;
  return row.isOpen ? { kind: 'go', row: rows[index + 1] } : { kind: 'toggle', row };
}

/** The parent of a row; for a root, the row itself. */
const rowAbove = (rows: readonly TraceRow[], row: TraceRow): TraceRow =>
  rows.find(({ at }) => at === row.entry.parent) ?? row;

const STEP = 2;
const PAN = 0.25;

interface Key {
  key: string;
  shiftKey: boolean;
}

/** The part of the time to show after a key press; undefined if the key changes nothing. */
export function zoomOfKey(
  { key, shiftKey }: Key,
  axis: TimeAxis | null,
  node: TraceNode | undefined,
): { to: Zoom | undefined } | undefined {
  if (axis === null) return undefined;
  if (key === '+' || key === '=') return { to: zoomAround(axis, centerOf(axis, node), 1 / STEP) };
  if (key === '-') return { to: zoomAround(axis, centerOf(axis, node), STEP) };
  if (key === '0') return { to: undefined };
  if (key === 'z') return partOf(axis, node);
  if (!shiftKey || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return undefined;
  const moved = panned(axis, key === 'ArrowLeft' ? -PAN : PAN);
  return moved && { to: moved };
}

/** The centre of a visible record, otherwise of the axis. */
function centerOf({ from, length }: TimeAxis, node: TraceNode | undefined): number {
  if (!node || node.from === null || node.to === null) return 0.5;
  const place = ((node.from + node.to) / 2 - from) / length;
  return place >= 0 && place <= 1 ? place : 0.5;
}

/** The part of the axis that a record spans. */
function partOf(axis: TimeAxis, node: TraceNode | undefined) {
  if (!node || node.from === null || node.to === null) return undefined;
  const placeOf = (at: number) => (at - axis.from) / axis.length;
  return { to: zoomBetween(axis, placeOf(node.from), placeOf(node.to)) };
}
