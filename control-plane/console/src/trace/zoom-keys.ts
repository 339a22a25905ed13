import type { TraceNode } from '../runs/trace-tree.ts';
import { panned, zoomAround, zoomBetween } from './time-axis.ts';
import type { TimeAxis, Zoom } from './time-axis.ts';

const STEP = 2;
const PAN = 0.25;

interface Key {
  key: string;
  shiftKey: boolean;
}

/** The part of the time to show after a key; undefined: the key changes nothing. */
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

/** The middle of a record that is in sight, else of the axis. */
function centerOf({ from, length }: TimeAxis, node: TraceNode | undefined): number {
  if (!node || node.from === null || node.to === null) return 0.5;
  const place = ((node.from + node.to) / 2 - from) / length;
  return place >= 0 && place <= 1 ? place : 0.5;
}

/** Exactly the time of a record. */
function partOf(axis: TimeAxis, node: TraceNode | undefined) {
  if (!node || node.from === null || node.to === null) return undefined;
  const placeOf = (at: number) => (at - axis.from) / axis.length;
  return { to: zoomBetween(axis, placeOf(node.from), placeOf(node.to)) };
}
