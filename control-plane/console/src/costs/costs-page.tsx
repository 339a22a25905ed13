import { period as periods } from '#contract/fields.ts';
import { modelUsage, unpriced } from '../data/analytics-sources.ts';
import type { ModelUsage, Period } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
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
import { UsageChart } from './usage-chart.tsx';

const periodNames: Record<Period, string> = { '1d': '24 hours', '7d': '7 days', '30d': '30 days' };
const measureNames: Record<Measure, string> = { cost: 'Cost', tokens: 'Tokens', calls: 'Calls' };

export function CostsPage() {
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
      <UnpricedModels models={withoutPrice} />
    </Page>
  );
}

function totalsOf({ aggregates, model_totals }: ModelUsage) {
  const { total_cost, total_tokens, total_calls } = aggregates;
  return [
    ['Cost', formatMoney(total_cost)],
    ['Calls', formatCount(total_calls)],
    ['Tokens', formatCount(total_tokens)],
    ['Cost per call', formatMoney(total_cost / total_calls)],
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
  return (
    <div className="by-day">
      <section className="card" aria-label="By day">
        <div className="card-header">
          <h2>{measureNames[measure]} by day</h2>
          <Choice
            label="Measure"
            options={measures.map((id) => ({ id, name: measureNames[id] }))}
            value={measure}
            onChange={(measure) => filters.set({ measure: measure === 'cost' ? '' : measure })}
          />
        </div>
        <UsageChart days={days} measure={measure} ranking={rankingOf(usage)} />
      </section>
      <DaysTable days={days} />
    </div>
  );
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
