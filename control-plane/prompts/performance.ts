import type { Period } from '#contract/fields.ts';
import { hoursOf, startOfHour } from '../analytics/period.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import type { Db } from '../storage/open.ts';
import { averageScores, type Extent, findPercentiles, sumCalls } from './performance-queries.ts';
import { listVersionUsage, type PromptKey } from './queries.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns the calls, cost, latency, errors and scores of each version, in total and by hour or day.
 */
export async function performanceOf(db: Db, key: PromptKey, period: Period, now: number) {
  const since = startOfHour(hoursOf(period, now).from);
  const bucket = period === '1d' ? 'hour' : 'day';
  const length = bucket === 'hour' ? HOUR_MS : DAY_MS;
  const versions = await listVersionUsage(db, key);
  const hashes = [...new Set(versions.map(({ content_hash }) => content_hash))];
  const extent = { tenant_id: key.tenant_id, hashes, since };
  const totals = await measure(db, { ...extent, bucket: 0 });
  const points = await measure(db, { ...extent, bucket: length });
  return {
    period,
    since,
    bucket,
    versions: versions.map(({ version, content_hash }) => ({
      version,
      content_hash,
      ...(totals.get(content_hash)?.[0]?.figures ?? noCalls),
      points: (points.get(content_hash) ?? []).map(({ part, figures }) => ({
        at: part * length,
        ...figures,
      })),
    })),
  } as const;
}

const noCalls = {
  call_count: 0,
  failed_count: 0,
  total_tokens: 0,
  total_cost: 0,
  latency_p50: null,
  latency_p95: null,
  scores: [],
};

/** Returns the parts of each content, oldest first. */
async function measure(db: Db, extent: Extent) {
  const [sums, percentiles, scores] = await Promise.all([
    sumCalls(db, extent),
    findPercentiles(db, extent),
    averageScores(db, extent),
  ]);
  const durations = new Map(percentiles.map((row) => [nameOf(row), row]));
  const scored = Map.groupBy(scores, nameOf);
  const parts = sums
    .toSorted((a, b) => a.part - b.part)
    .map((row) => ({
      content_hash: row.content_hash,
      part: row.part,
      figures: {
        call_count: row.call_count,
        failed_count: row.failed_count,
        total_tokens: row.total_tokens,
        total_cost: roundedCost(row.total_cost),
        latency_p50: durations.get(nameOf(row))?.latency_p50 ?? null,
        latency_p95: durations.get(nameOf(row))?.latency_p95 ?? null,
        scores: (scored.get(nameOf(row)) ?? []).map(({ name, count, avg }) => ({
          name,
          count,
          avg,
        })),
      },
    }));
  return Map.groupBy(parts, ({ content_hash }) => content_hash);
}

const nameOf = ({ content_hash, part }: { content_hash: string; part: number }): string =>
  `${content_hash} ${part}`;
