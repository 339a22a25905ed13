import { t } from '@lingui/core/macro';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time-units.ts';
import { formatDuration } from '../format.ts';
import type { TraceNode } from '../runs/trace-tree.ts';

/** The time that the waterfall spans, in milliseconds since 1970. */
export interface TimeAxis {
  from: number;
  /** At least 1. */
  length: number;
  /** The axis of the whole trace, if this one is only a part of it. */
  whole?: TimeAxis;
}

/**
 * The axis from the first start to the last end; null if no record has a time. Excludes policy
 * verdicts: they are made when records arrive, which may be long after the work.
 */
export function axisOf(nodes: readonly TraceNode[]): TimeAxis | null {
  let [from, to] = [Infinity, -Infinity];
  for (const node of nodes) {
    if (node.from === null || node.to === null || isFinding(node)) continue;
    from = Math.min(from, node.from);
    to = Math.max(to, node.to);
  }
  return from > to ? null : { from, length: Math.max(1, to - from) };
}

const isFinding = ({ item: { kind } }: TraceNode): boolean =>
  kind === 'verdict' || kind === 'incident';

export interface Tick {
  /** From 0 to 1. */
  place: number;
  label: string;
}

/** In pixels, including the space between two labels. */
const TICK_WIDTH = 80;

const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR_MS),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * DAY_MS),
];

/** Returns at most `most` + 1 ticks at round distances from the start of the trace. */
export function ticksOf({ from, length, whole }: TimeAxis, most: number): Tick[] {
  const fitting = steps.find((step) => length / step <= most);
  const step = fitting ?? Math.ceil(length / most / DAY_MS) * DAY_MS;
  const offset = whole ? from - whole.from : 0;
  const ticks: Tick[] = [];
  for (let at = Math.ceil(offset / step) * step; at <= offset + length; at += step)
    ticks.push({ place: (at - offset) / length, label: labelOf(at, step) });
  return ticks;
}

/**
 * Label of a tick with the precision of the ticks' distance: durations above a minute omit smaller
 * units.
 */
function labelOf(at: number, step: number): string {
  if (at === 0) return '0';
  const isFine =
    (step < SECOND_MS && at >= SECOND_MS) ||
    (step < MINUTE_MS && at >= HOUR_MS) ||
    (step < HOUR_MS && at >= DAY_MS);
  if (!isFine) return formatDuration(at);
  const digits = step < SECOND_MS ? 3 - Math.min(2, Math.floor(Math.log10(step))) : 0;
  const seconds = ((at % MINUTE_MS) / SECOND_MS).toFixed(digits);
  if (at < MINUTE_MS) return t`${seconds} s`;
  const padded = seconds.padStart(digits > 0 ? digits + 3 : 2, '0');
  const minutes = Math.floor(at / MINUTE_MS);
  if (at < HOUR_MS) return `${minutes}:${padded}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${padded}`;
}

/** How a record is drawn. Positions and lengths are fractions of the axis, from 0 to 1. */
export type TimeMark =
  | { kind: 'bar'; from: number; length: number; firstToken: number | null; isRunning: boolean }
  | { kind: 'moment'; from: number }
  | { kind: 'outside'; side: 'before' | 'after' }
  | { kind: 'none'; text: string };

/** Ticks for an axis of this width in pixels. Without enough space, only the start and the end. */
export function ticksFor(axis: TimeAxis, width: number): Tick[] {
  const most = Math.floor(width / TICK_WIDTH);
  if (most >= 2) return ticksOf(axis, most);
  const start = axis.whole ? axis.from - axis.whole.from : 0;
  return [
    { place: 0, label: start === 0 ? '0' : formatDuration(start) },
    { place: 1, label: formatDuration(start + axis.length) },
  ];
}

/** The mark of a record. Without a start it gets no bar, because the position would be made up. */
export function markOf({ item, from }: TraceNode, axis: TimeAxis | null): TimeMark {
  if (from === null || axis === null)
    return {
      kind: 'none',
      text: item.duration_ms === null ? t`no times recorded` : t`no start recorded`,
    };
  const text = beyond(from, axis.whole ?? axis);
  if (text !== undefined) return { kind: 'none', text };
  const start = (from - axis.from) / axis.length;
  const isRunning = item.status === 'running';
  const length = isRunning ? Infinity : (item.duration_ms ?? 0) / axis.length;
  if (start > 1) return { kind: 'outside', side: 'after' };
  if (start + length < 0) return { kind: 'outside', side: 'before' };
  if (item.duration_ms === null && !isRunning) return { kind: 'moment', from: start };
  const first = item.time_to_first_token_ms ?? null;
  return barOf(start, length, isRunning || first === null ? null : first / axis.length, {
    isRunning,
    isZoomed: axis.whole !== undefined,
  });
}

/** Describes a time that is outside the axis of the whole trace. */
function beyond(from: number, whole: TimeAxis): string | undefined {
  if (from < whole.from) return t`${formatDuration(whole.from - from)} before the start`;
  const after = from - whole.from - whole.length;
  return after > 0 ? t`${formatDuration(after)} after the end` : undefined;
}

/** The visible part of a bar. The first token is measured from the start of the bar. */
function barOf(
  start: number,
  length: number,
  first: number | null,
  { isRunning, isZoomed }: { isRunning: boolean; isZoomed: boolean },
): TimeMark {
  const from = Math.max(0, start);
  const isCut = isZoomed || isRunning;
  const shown = isCut ? Math.min(1, start + length) - from : length;
  const at =
    first === null || length === 0 ? null : (start + Math.min(first, length) - from) / shown;
  const firstToken = at === null || at < 0 || at > 1 ? null : at;
  return { kind: 'bar', from, length: shown, firstToken, isRunning };
}

/** A part of the trace as in the URL, in milliseconds from its start. */
export interface Zoom {
  from: number;
  to: number;
}

/** Parses a part such as `1200-3400`; undefined for any other text. */
export function readZoom(text: string): Zoom | undefined {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  const zoom = { from: Number(from), to: Number(to) };
  return zoom.from < zoom.to ? zoom : undefined;
}

export const zoomText = (zoom: Zoom | undefined): string => (zoom ? `${zoom.from}-${zoom.to}` : '');

/** The axis of a part of the trace, or of the whole trace if the part is outside of it. */
export function zoomedAxis(whole: TimeAxis | null, zoom: Zoom | undefined): TimeAxis | null {
  if (whole === null || zoom === undefined || zoom.from >= whole.length) return whole;
  const to = Math.min(zoom.to, whole.length);
  return { from: whole.from + zoom.from, length: Math.max(1, to - zoom.from), whole };
}

/** The part between two positions on an axis, from 0 to 1; undefined if it is the whole trace. */
export function zoomBetween(axis: TimeAxis, a: number, b: number): Zoom | undefined {
  const whole = axis.whole ?? axis;
  const offset = axis.from - whole.from;
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const from = Math.max(0, Math.floor(offset + low * axis.length));
  const to = Math.min(whole.length, Math.max(from + 1, Math.ceil(offset + high * axis.length)));
  if (from === 0 && to >= whole.length) return undefined;
  return from < to ? { from, to } : { from: Math.max(0, to - 1), to };
}

/** Zooms by a factor around a position on the axis, from 0 to 1. Factors below 1 zoom in. */
export const zoomAround = (axis: TimeAxis, place: number, factor: number): Zoom | undefined =>
  zoomBetween(axis, place - place * factor, place + (1 - place) * factor);

/** Moves the visible part by a fraction of its length, limited to the ends of the trace. */
export function panned(axis: TimeAxis, share: number): Zoom | undefined {
  if (!axis.whole) return undefined;
  const offset = axis.from - axis.whole.from;
  const most = axis.whole.length - axis.length;
  const from = Math.round(Math.min(most, Math.max(0, offset + share * axis.length)));
  return { from, to: from + axis.length };
}
