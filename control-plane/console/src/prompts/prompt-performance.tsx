import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { period as periods } from '#contract/fields.ts';
import { promptPerformance } from '../data/prompt-sources.ts';
import type { Prompt, PromptPerformance, VersionPerformance } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Choice, Select } from '../parts/choice.tsx';
import { Loaded } from '../parts/notice.tsx';
import type { Filters } from '../use-filters.ts';
import { bucketsOf, measuresOf } from './measures.ts';
import { PerformanceChart } from './performance-chart.tsx';
import { PerformanceTable } from './performance-table.tsx';
import './prompt-performance.css';

const periodNames = { '1d': t`24 hours`, '7d': t`7 days`, '30d': t`30 days` } as const;
/** Maximum number of lines: more could not be distinguished. */
const MAX_LINES = 6;

interface TabProps {
  prompt: Prompt;
  filters: Filters;
}

/** Compares the versions over a period. */
export function PromptPerformanceTab({ prompt, filters }: TabProps) {
  const period = periods.options.find((one) => one === filters.get('period')) ?? '7d';
  const reading = useQuery(promptPerformance(prompt.id, period));
  return (
    <>
      <div className="toolbar">
        <Choice
          label={t`Period`}
          options={periods.options.map((id) => ({ id, name: periodNames[id] }))}
          value={period}
          onChange={(period) => filters.set({ period: period === '7d' ? '' : period })}
        />
      </div>
      <Loaded reading={reading}>
        {(performance) => (
          <>
            <ChartCard performance={performance} filters={filters} />
            <PerformanceTable prompt={prompt} performance={performance} />
          </>
        )}
      </Loaded>
    </>
  );
}

/**
 * The versions to draw. Versions with the same content share their calls, so only the newest is
 * drawn.
 */
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

const emptyTexts: Record<PromptPerformance['period'], string> = {
  '1d': t`No calls in the last 24 hours. Record calls with the prompt, or its content hash, to see them here.`,
  '7d': t`No calls in the last 7 days. Record calls with the prompt, or its content hash, to see them here.`,
  '30d': t`No calls in the last 30 days. Record calls with the prompt, or its content hash, to see them here.`,
};

function ChartCard({ performance, filters }: { performance: PromptPerformance; filters: Filters }) {
  const measures = measuresOf(performance);
  const measure = measures.find(({ id }) => id === filters.get('measure')) ?? measures[0];
  const lines = linesOf(performance);
  const [first, ...others] = measures;
  if (!measure || !first) return null;
  if (lines.length === 0) return <p className="muted">{emptyTexts[performance.period]}</p>;
  return (
    <section className="card performance-card" aria-label={t`Over time`}>
      <div className="card-header">
        <h2>
          {performance.bucket === 'hour'
            ? t`${measure.name} by hour`
            : t`${measure.name} by day (UTC)`}
        </h2>
        <Select
          label={t`Measure`}
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
            <Trans>
              <span className={`swatch series-${at}`} aria-hidden="true" /> v{version}
            </Trans>
          </li>
        ))}
      </ul>
    </section>
  );
}
