import { Link } from 'wouter';
import { period as periods } from '#contract/fields.ts';
import { promptPerformance } from '../data/prompt-sources.ts';
import type { Prompt, PromptPerformance, VersionPerformance } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import {
  formatCountInShort,
  formatDuration,
  formatMoneyInShort,
  formatPercent,
  NONE,
} from '../format.ts';
import { Choice, Select } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import type { Filters } from '../use-filters.ts';
import { callsOfVersion } from './version-content.tsx';
import { Labels } from './versions-table.tsx';
import { bucketsOf, errorRate, formatScore, measuresOf, scoreNames, scoreOf } from './measures.ts';
import { PerformanceChart } from './performance-chart.tsx';
import './prompt-performance.css';

const periodNames = { '1d': '24 hours', '7d': '7 days', '30d': '30 days' } as const;
/** More lines could not be distinguished. */
const MAX_LINES = 6;

interface TabProps {
  prompt: Prompt;
  filters: Filters;
}

/** How the versions compare over a period. */
export function PromptPerformanceTab({ prompt, filters }: TabProps) {
  const period = periods.options.find((one) => one === filters.get('period')) ?? '7d';
  const reading = useQuery(promptPerformance(prompt.id, period));
  return (
    <>
      <div className="toolbar">
        <Choice
          label="Period"
          options={periods.options.map((id) => ({ id, name: periodNames[id] }))}
          value={period}
          onChange={(period) => filters.set({ period: period === '7d' ? '' : period })}
        />
      </div>
      <Loaded reading={reading}>
        {(performance) => (
          <>
            <ChartCard performance={performance} filters={filters} />
            <DataTable
              label="Versions compared"
              columns={columnsFor(prompt, performance)}
              rows={performance.versions}
              rowKey={({ version }) => String(version)}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Of versions with the same content, the newest: their calls are the same. */
function linesOf({ versions }: PromptPerformance): VersionPerformance[] {
  const seen = new Set<string>();
  return versions
    .filter(({ call_count, content_hash }) => {
      const isNew = !seen.has(content_hash);
      seen.add(content_hash);
      return isNew && call_count > 0;
    })
    .slice(0, MAX_LINES);
}

function ChartCard({ performance, filters }: { performance: PromptPerformance; filters: Filters }) {
  const measures = measuresOf(performance);
  const measure = measures.find(({ id }) => id === filters.get('measure')) ?? measures[0];
  const lines = linesOf(performance);
  const [first, ...others] = measures;
  if (!measure || !first) return null;
  if (lines.length === 0)
    return (
      <p className="muted">
        No calls in the last {periodNames[performance.period]}. Record calls with the prompt, or its
        content hash, to see them here.
      </p>
    );
  const unit = performance.bucket === 'hour' ? 'hour' : 'day (UTC)';
  return (
    <section className="card performance-card" aria-label="Over time">
      <div className="card-header">
        <h2>
          {measure.name} by {unit}
        </h2>
        <Select
          label="Measure"
          all={first.name}
          options={others}
          value={measure === first ? '' : measure.id}
          onChange={(measure) => filters.set({ measure })}
        />
      </div>
      <PerformanceChart
        lines={lines}
        measure={measure}
        buckets={bucketsOf(performance)}
        bucket={performance.bucket}
      />
      <ul className="performance-legend">
        {lines.map(({ version }, at) => (
          <li key={version}>
            <span className={`swatch series-${at}`} aria-hidden="true" /> v{version}
          </li>
        ))}
      </ul>
    </section>
  );
}

function columnsFor(prompt: Prompt, performance: PromptPerformance): Column<VersionPerformance>[] {
  const number = { width: 92, align: 'end' } as const;
  const labelsOf = (version: number) =>
    prompt.versions.find((one) => one.version === version)?.labels ?? [];
  const duration = (ms: number | null) => (ms === null ? NONE : formatDuration(ms));
  return [
    {
      name: 'Version',
      cell: ({ version, content_hash }) => (
        <span className="badges">
          v{version}
          <Labels labels={labelsOf(version)} />
          {sameContent(performance, version, content_hash)}
        </span>
      ),
    },
    {
      name: 'Calls',
      ...number,
      cell: ({ version, call_count }) =>
        call_count === 0 ? (
          '0'
        ) : (
          <Link
            to={callsOfVersion(prompt.id, version, performance.period)}
            aria-label={`${call_count} LLM calls of v${version}`}
          >
            {formatCountInShort(call_count)}
          </Link>
        ),
    },
    { name: 'Cost', ...number, cell: ({ total_cost }) => formatMoneyInShort(total_cost) },
    {
      name: 'Per call',
      ...number,
      cell: ({ total_cost, call_count }) =>
        call_count === 0 ? NONE : formatMoneyInShort(total_cost / call_count),
    },
    { name: 'p50', ...number, cell: ({ latency_p50 }) => duration(latency_p50) },
    { name: 'p95', ...number, cell: ({ latency_p95 }) => duration(latency_p95) },
    {
      name: 'Errors',
      ...number,
      cell: (figures) => {
        const rate = errorRate(figures);
        return rate === null ? NONE : formatPercent(rate);
      },
    },
    ...scoreNames(performance).map((name) => ({
      name,
      width: 110,
      align: 'end' as const,
      cell: (figures: VersionPerformance) => {
        const score = scoreOf(figures, name);
        return score ? <span title={`${score.count} scores`}>{formatScore(score.avg)}</span> : NONE;
      },
    })),
  ];
}

function sameContent({ versions }: PromptPerformance, version: number, content_hash: string) {
  const other = versions.find((one) => one.content_hash === content_hash && one.version > version);
  return other && <span className="muted">same content as v{other.version}</span>;
}
