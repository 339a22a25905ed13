import type { NewCall } from '../../recording/queries.ts';

/** Fields that identify a call, and fields whose values belong together. */
const KEPT = new Set(['id', 'run_id', 'created_at', 'response_id', 'cost', 'cost_source']);

/**
 * Merges two reports of one call: fields that are missing in the first are taken from the second.
 * Returns the first itself if the second adds no information, as with a report that is sent again.
 */
export function joinCalls<C extends NewCall>(known: C, report: NewCall): C {
  const changes: Partial<NewCall> = Object.fromEntries(
    Object.entries(report).filter(
      ([field, value]) =>
        !KEPT.has(field) && isEmpty(known[field as keyof NewCall]) && !isEmpty(value),
    ),
  );
  if (isUnknown(known.model) && !isUnknown(report.model)) changes.model = report.model;
  if (known.task === 'chat' && report.task && report.task !== 'chat') changes.task = report.task;
  if ((report.duration_ms ?? 0) > (known.duration_ms ?? 0))
    changes.duration_ms = report.duration_ms;
  if (isBetterPrice(known, report)) {
    changes.cost = report.cost;
    changes.cost_source = report.cost_source;
  }
  return Object.keys(changes).length > 0 ? { ...known, ...changes } : known;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0;

const isUnknown = (model: string): boolean => model === 'unknown';

/**
 * Whether the second report has a better price. A cost reported by the client is preferred to our
 * price tables, unless it is 0 for 0 tokens. Of two costs from the price tables, the one that
 * considers cached tokens is preferred.
 */
function isBetterPrice(known: NewCall, report: NewCall): boolean {
  const rank = (call: NewCall): number => {
    const { cost_source, total_tokens, cost, cache_read_tokens, cache_write_tokens } = call;
    if (cost_source === 'unpriced' || (total_tokens === 0 && cost === 0)) return 3;
    if (cost_source === 'given') return 0;
    return cache_read_tokens || cache_write_tokens ? 1 : 2;
  };
  return rank(report) < rank(known);
}
