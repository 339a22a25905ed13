import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { DAY_MS } from '#lib/time-units.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import type { CodingReport, CodingWork } from '../data/coding-agent-sources.ts';
import { formatCount, formatDay, formatMoney, formatShort, formatShortMoney } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import type { Filters } from '../use-filters.ts';
import './work-by-day.css';

const measures = ['cost', 'prompts', 'edits', 'lines'] as const;
type Measure = (typeof measures)[number];

const names: Record<Measure, string> = {
  cost: t`Cost`,
  prompts: t`Prompts`,
  edits: t`Edits`,
  lines: t`Lines`,
};

const layers: Record<Measure, readonly (readonly [string, keyof CodingWork])[]> = {
  cost: [[t`Cost`, 'cost']],
  prompts: [[t`Prompts`, 'prompts']],
  edits: [
    [t`Accepted`, 'edits_accepted'],
    [t`Rejected`, 'edits_rejected'],
  ],
  lines: [
    [t`Added`, 'lines_added'],
    [t`Removed`, 'lines_removed'],
  ],
};

/** Chart of the work on each day of the period. */
export function WorkByDay({ report, filters }: { report: CodingReport; filters: Filters }) {
  const measure = measures.find((one) => one === filters.get('measure')) ?? 'cost';
  const days = daysOf(report);
  return (
    <section className="card work-by-day" aria-label={t`By day`}>
      <div className="card-header">
        <h2>
          <Trans>{names[measure]} by day (UTC)</Trans>
        </h2>
        <Choice
          label={t`Measure`}
          options={measures.map((id) => ({ id, name: names[id] }))}
          value={measure}
          onChange={(one) => filters.set({ measure: one === 'cost' ? '' : one })}
        />
      </div>
      <TimeChart
        label={t`${names[measure]} by day`}
        kind="columns"
        slots={days.map(({ day }) => ({
          tick: formatDay(day),
          name: formatDay(day),
          link: undefined,
        }))}
        series={layers[measure].map(([name, field], colour) => ({
          name,
          colour,
          values: days.map(({ work }) => work?.[field] ?? 0),
        }))}
        format={measure === 'cost' ? formatMoney : formatCount}
        formatTick={measure === 'cost' ? formatShortMoney : formatShort}
      />
    </section>
  );
}

/** Every day of the period, including days without work. */
function daysOf({ start, end, days }: CodingReport) {
  const first = Math.floor(Date.parse(start) / DAY_MS);
  const last = Math.floor((Date.parse(end) - 1) / DAY_MS);
  const known = new Map(days.map((work) => [work.day.slice(0, 10), work]));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => {
    const day = new Date((first + at) * DAY_MS).toISOString().slice(0, 10);
    return { day, work: known.get(day) };
  });
}
