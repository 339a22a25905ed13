import type { CounterPoint, Measure } from '../../coding-agents/counter-rules.ts';
import { type Attributes, readAttributes } from '../attributes.ts';
import { textIn } from '../clients/client.ts';
import type { WireMetric, WirePoint } from '../protocol/wire.ts';
import { microseconds } from '../read-wire.ts';
import type { Scope } from '../span.ts';

/**
 * Claude Code reports changed lines only as a metric. Other agents report them with the tools that
 * change them.
 */
const LINES = 'claude_code.lines_of_code.count';

const measures: Readonly<Record<string, Measure>> = {
  added: 'lines_added',
  removed: 'lines_removed',
};

/** Delta temporality: a name or a number in JSON, a number in protobuf. */
const DELTA: readonly unknown[] = [1, 'AGGREGATION_TEMPORALITY_DELTA'];

/** Returns the data points of a metric that are stored. Most metrics have none. */
export function counterPoints(
  { name, sum }: WireMetric,
  scope: Scope,
  resource: Attributes,
): CounterPoint[] {
  if (name !== LINES) return [];
  const isDelta = DELTA.includes(sum?.aggregationTemporality);
  return (sum?.dataPoints ?? []).flatMap((point) => {
    const attributes = readAttributes(point.attributes);
    const measure = measures[textIn(attributes, 'type') ?? ''];
    const value = Number(point.asInt ?? point.asDouble);
    const at = Math.floor(microseconds(point.timeUnixNano) / 1000);
    if (measure === undefined || !(value >= 0 && value < 1e9) || at <= 0) return [];
    return {
      series: JSON.stringify([
        name,
        scope.name,
        sorted(resource),
        sorted(attributes),
        isDelta ? null : startOf(point),
      ]),
      agent_name: 'claude-code',
      user_id: textIn(attributes, 'user.email', 'user.account_uuid', 'user.id') ?? null,
      measure,
      at,
      value,
      isDelta,
    };
  });
}

/** Returns the start of a series, because a process counts from zero after a restart. */
const startOf = ({ startTimeUnixNano }: WirePoint): number => microseconds(startTimeUnixNano);

const sorted = (attributes: Attributes): unknown[] =>
  Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));
