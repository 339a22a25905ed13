import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
import { KeyFigures } from '../parts/key-figures.tsx';
import { Page } from '../parts/page.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import { useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { DaysTable } from './days-table.tsx';
import { ModelTotals } from './model-totals.tsx';
import { UnpricedModels } from './unpriced-models.tsx';
import { measures, usageByDay, seriesOfDays } from './usage-by-day.ts';
import type { Measure } from './usage-by-day.ts';
import { policyList } from '../data/policy-sources.ts';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { budgetsOf, sharedDailyLimit } from './budget-rules.ts';
import { Budgets } from './budgets.tsx';
import { CostBy } from './cost-by.tsx';
import { MonthForecast } from './forecast.tsx';
import './costs-page.css';

const periodNames: Record<Period, string> = {
  '1d': t`24 hours`,
  '7d': t`7 days`,
  '30d': t`30 days`,
};
const measureNames: Record<Measure, string> = { cost: t`Cost`, tokens: t`Tokens`, calls: t`Calls` };

export function CostsPage({ user }: { user: User }) {
  const filters = useFilters();
  const period = periods.options.find((one) => one === filters.get('period')) ?? '7d';
  const agent = filters.get('agent');
  const reading = useQuery(modelUsage(period, agent));
  const { data: withoutPrice = [] } = useQuery(unpriced());
  return (
    <Page title={t`Costs`}>
      <div className="toolbar">
        <Choice
          label={t`Period`}
          options={periods.options.map((id) => ({ id, name: periodNames[id] }))}
          value={period}
          onChange={(period) => filters.set({ period: period === '7d' ? '' : period })}
        />
        <AgentField filters={filters} />
      </div>
      <Loaded reading={reading}>
        {(usage) =>
          usage.aggregates.total_calls === 0 ? (
            <NoCosts agent={agent} period={period} />
          ) : (
            <>
              <KeyFigures numbers={totalsOf(usage)} />
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
    [t`Cost`, formatMoney(total_cost)],
    [t`Calls`, formatCount(total_calls)],
    [t`Tokens`, formatCount(total_tokens)],
    [t`Average cost per call`, formatMoney(total_cost / total_calls)],
    [t`Models`, formatCount(model_totals.length)],
  ] as const;
}

/** Model names, ranked by cost and then by tokens. */
const rankingOf = ({ model_totals }: ModelUsage): string[] =>
  model_totals
    .toSorted((a, b) => b.total_cost - a.total_cost || b.total_tokens - a.total_tokens)
    .map(({ model }) => model);

function ByDay({ usage, filters }: { usage: ModelUsage; filters: Filters }) {
  const today = useToday();
  const days = usageByDay(usage.time_series, usage.period, today);
  const measure = measures.find((one) => one === filters.get('measure')) ?? 'cost';
  const policies = useQuery(policyList({ limit: MAX_PAGE_SIZE, enabled: 'true' }));
  const budget =
    measure === 'cost' && !filters.get('agent')
      ? sharedDailyLimit(budgetsOf(policies.data?.results ?? []))
      : undefined;
  return (
    <div className="by-day">
      <section className="card" aria-label={t`By day`}>
        <div className="card-header">
          <h2>
            <Trans>{measureNames[measure]} by day (UTC)</Trans>
          </h2>
          <Choice
            label={t`Measure`}
            options={measures.map((id) => ({ id, name: measureNames[id] }))}
            value={measure}
            onChange={(measure) => filters.set({ measure: measure === 'cost' ? '' : measure })}
          />
        </div>
        <TimeChart
          label={t`${measureNames[measure]} by day and model`}
          kind="columns"
          slots={days.map(({ date }) => slotOf(date, filters.get('agent')))}
          series={seriesOfDays(days, measure, rankingOf(usage))}
          format={measure === 'cost' ? formatMoney : formatCount}
          formatTick={measure === 'cost' ? formatShortMoney : formatShort}
          limit={budget}
        />
        {budget !== undefined && (
          <p className="muted">
            <Trans>Budget of a day: {formatMoney(budget)}, the dashed line</Trans>
          </p>
        )}
      </section>
      <DaysTable days={days} />
    </div>
  );
}

const DAY_MS = 86_400_000;

/** The interval of a day, with a link to its calls. */
function slotOf(date: string, agent: string) {
  const start = new Date(date).toISOString();
  const end = new Date(Date.parse(date) + DAY_MS).toISOString();
  const calls = new URLSearchParams({ start, end, ...(agent && { agent }) });
  return { tick: formatDay(date), name: formatDay(date), link: `/llm-calls?${calls}` };
}

const emptyTitles: Record<Period, string> = {
  '1d': t`No LLM calls in the last 24 hours`,
  '7d': t`No LLM calls in the last 7 days`,
  '30d': t`No LLM calls in the last 30 days`,
};

function NoCosts({ agent, period }: { agent: string; period: Period }) {
  return (
    <Empty title={emptyTitles[period]}>
      <p>
        {agent
          ? t`Choose another agent or a longer period.`
          : t`Costs appear here as soon as agents record LLM calls.`}
      </p>
    </Empty>
  );
}
