import { TimeChart } from '../charts/time-chart.tsx';
import { period as periods } from '#contract/fields.ts';
import { modelUsage, unpriced } from '../data/analytics-sources.ts';
import type { ModelUsage, Period } from '../data/analytics-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDay, formatMoney, formatShort, formatShortMoney } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import { useToday } from '../parts/clock.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Numbers } from '../parts/numbers.tsx';
import { Page } from '../parts/page.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import { useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { DaysTable } from './days-table.tsx';
import { ModelTotals } from './model-totals.tsx';
import { UnpricedModels } from './unpriced-models.tsx';
import { measures, usageByDay } from './usage-by-day.ts';
import type { Measure } from './usage-by-day.ts';
import { policyList } from '../data/policy-sources.ts';
import { LONGEST_PAGE } from '../data/many.ts';
import { budgetsOf, sharedDailyLimit } from './budget-rules.ts';
import { Budgets } from './budgets.tsx';
import { CostBy } from './cost-by.tsx';
import { seriesOfDays } from './day-series.ts';
import { MonthForecast } from './forecast.tsx';
import './costs-page.css';

const periodNames: Record<Period, string> = { '1d': '24 hours', '7d': '7 days', '30d': '30 days' };
const measureNames: Record<Measure, string> = { cost: 'Cost', tokens: 'Tokens', calls: 'Calls' };

export function CostsPage({ user }: { user: User }) {
  const filters = useFilters();
  const period = periods.options.find((one) => one === filters.get('period')) ?? '7d';
  const agent = filters.get('agent');
  const reading = useQuery(modelUsage(period, agent));
  const { data: withoutPrice = [] } = useQuery(unpriced());
  return (
    <Page title="Costs">
      <div className="toolbar">
        <Choice
          label="Period"
          options={periods.options.map((id) => ({ id, name: periodNames[id] }))}
          value={period}
          onChange={(period) => filters.set({ period: period === '7d' ? '' : period })}
        />
        <AgentField filters={filters} />
      </div>
      <Loaded reading={reading}>
        {(usage) =>
          usage.aggregates.total_calls === 0 ? (
            <NoCosts agent={agent} period={periodNames[period]} />
          ) : (
            <>
              <Numbers numbers={totalsOf(usage)} />
              <ByDay usage={usage} filters={filters} />
              <div className="month">
                <MonthForecast agent={agent} />
                <Budgets />
              </div>
              <CostBy filters={filters} period={period} />
              <ModelTotals
                totals={usage.model_totals}
                ranking={rankingOf(usage)}
                unpriced={withoutPrice}
                {...{ period, agent, stale: reading.stale }}
              />
            </>
          )
        }
      </Loaded>
      <UnpricedModels models={withoutPrice} mayPrice={mayAdminister(user)} />
    </Page>
  );
}

function totalsOf({ aggregates, model_totals }: ModelUsage) {
  const { total_cost, total_tokens, total_calls } = aggregates;
  return [
    ['Cost', formatMoney(total_cost)],
    ['Calls', formatCount(total_calls)],
    ['Tokens', formatCount(total_tokens)],
    ['Average cost per call', formatMoney(total_cost / total_calls)],
    ['Models', formatCount(model_totals.length)],
  ] as const;
}

/** Models by cost, then by tokens. */
const rankingOf = ({ model_totals }: ModelUsage): string[] =>
  model_totals
    .toSorted((a, b) => b.total_cost - a.total_cost || b.total_tokens - a.total_tokens)
    .map(({ model }) => model);

function ByDay({ usage, filters }: { usage: ModelUsage; filters: Filters }) {
  const today = useToday();
  const days = usageByDay(usage.time_series, usage.period, today);
  const measure = measures.find((one) => one === filters.get('measure')) ?? 'cost';
  const policies = useQuery(policyList({ limit: LONGEST_PAGE, enabled: 'true' }));
  const budget =
    measure === 'cost' && !filters.get('agent')
      ? sharedDailyLimit(budgetsOf(policies.data?.results ?? []))
      : undefined;
  return (
    <div className="by-day">
      <section className="card" aria-label="By day">
        <div className="card-header">
          <h2>{measureNames[measure]} by day (UTC)</h2>
          <Choice
            label="Measure"
            options={measures.map((id) => ({ id, name: measureNames[id] }))}
            value={measure}
            onChange={(measure) => filters.set({ measure: measure === 'cost' ? '' : measure })}
          />
        </div>
        <TimeChart
          label={`${measureNames[measure]} by day and model`}
          kind="columns"
          slots={days.map(({ date }) => slotOf(date, filters.get('agent')))}
          series={seriesOfDays(days, measure, rankingOf(usage))}
          format={measure === 'cost' ? formatMoney : formatCount}
          formatMark={measure === 'cost' ? formatShortMoney : formatShort}
          limit={budget}
        />
        {budget !== undefined && (
          <p className="muted">Budget of a day: {formatMoney(budget)}, the dashed line</p>
        )}
      </section>
      <DaysTable days={days} />
    </div>
  );
}

const DAY_MS = 86_400_000;

/** A day leads to its calls. */
function slotOf(date: string, agent: string) {
  const start = new Date(date).toISOString();
  const end = new Date(Date.parse(date) + DAY_MS).toISOString();
  const calls = new URLSearchParams({ start, end, ...(agent && { agent }) });
  return { tick: formatDay(date), name: formatDay(date), link: `/llm-calls?${calls}` };
}

function NoCosts({ agent, period }: { agent: string; period: string }) {
  return (
    <Empty title={`No LLM calls in the last ${period}`}>
      <p>
        {agent
          ? 'Choose another agent or a longer period.'
          : 'Costs appear here as soon as agents record LLM calls.'}
      </p>
    </Empty>
  );
}
