import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { UsagePeriod } from '#contract/usage-period.ts';
import { analytics } from '../data/dashboard-sources.ts';
import type { WidgetQuery } from '../data/dashboard-sources.ts';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { policyList } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMoney, formatPercent } from '../format.ts';
import { useMinute } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { boundsOf, budgetsOf, forecastIn, groupingOf, spentOf } from './budget-rules.ts';
import type { PeriodBudget } from './budget-rules.ts';
import { actionNames } from '../parts/action-badge.tsx';
import './budgets.css';

/** The budgets of all policies, with the spending and the forecast for the current period. */
export function Budgets() {
  const reading = useQuery(policyList({ limit: MAX_PAGE_SIZE, enabled: 'true' }));
  return (
    <section className="card" aria-label={t`Budgets`}>
      <h2>
        <Trans>Budgets</Trans>
      </h2>
      <Loaded reading={reading}>
        {({ results }) => {
          const budgets = budgetsOf(results);
          if (budgets.length === 0)
            return (
              <p className="muted">
                <Trans>
                  No policy limits the cost of a day, week or month.{' '}
                  <Link to="/policies/new">Create a policy</Link> of the category budget.
                </Trans>
              </p>
            );
          return (
            <ul className="plain budgets">
              {budgets.map((budget) => (
                <Budget key={budget.id} budget={budget} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function Budget({ budget }: { budget: PeriodBudget }) {
  const { policy, model, limit } = budget;
  return (
    <li>
      <p className="budget-name">
        <Link to={pathTo('policies', policy.id)}>
          <Text>{policy.name}</Text>
        </Link>
        {model !== undefined && (
          <span className="muted mono">
            <Text>{model}</Text>
          </span>
        )}
      </p>
      <Spending budget={budget} />
      <p className="muted">{limitText(budget, formatMoney(limit))}</p>
    </li>
  );
}

function Spending({ budget }: { budget: PeriodBudget }) {
  const grouping = groupingOf(budget);
  if (!grouping)
    return (
      <p className="muted">
        <Trans>Counted for each of its agents</Trans>
      </p>
    );
  return <SpentOf budget={budget} grouping={grouping} />;
}

type LimitText = (limit: string, zone: string, action: string) => string;

const limitTexts: Record<UsagePeriod, { ofAll: LimitText; ofEach: LimitText }> = {
  day: {
    ofAll: (limit, zone, action) => t`${limit} a day (${zone}), then ${action}`,
    ofEach: (limit, zone, action) => t`${limit} a day (${zone}) for each agent, then ${action}`,
  },
  week: {
    ofAll: (limit, zone, action) => t`${limit} a week (${zone}), then ${action}`,
    ofEach: (limit, zone, action) => t`${limit} a week (${zone}) for each agent, then ${action}`,
  },
  month: {
    ofAll: (limit, zone, action) => t`${limit} a month (${zone}), then ${action}`,
    ofEach: (limit, zone, action) => t`${limit} a month (${zone}) for each agent, then ${action}`,
  },
};

const limitText = ({ period, zone, action, ofEachAgent }: PeriodBudget, limit: string): string =>
  limitTexts[period][ofEachAgent ? 'ofEach' : 'ofAll'](limit, zone, nameOf(action));

const nameOf = (action: string): string =>
  Object.entries(actionNames).find(([id]) => id === action)?.[1] ?? action;

const forecastTexts: Record<UsagePeriod, (forecast: string) => string> = {
  day: (forecast) => t`, ≈ ${forecast} by the end of the day`,
  week: (forecast) => t`, ≈ ${forecast} by the end of the week`,
  month: (forecast) => t`, ≈ ${forecast} by the end of the month`,
};
const excessTexts: Record<UsagePeriod, (forecast: string) => string> = {
  day: (forecast) => t`, ≈ ${forecast} by the end of the day, over the budget`,
  week: (forecast) => t`, ≈ ${forecast} by the end of the week, over the budget`,
  month: (forecast) => t`, ≈ ${forecast} by the end of the month, over the budget`,
};

const forecastText = ({ period, limit }: PeriodBudget, forecast: number): string =>
  (forecast > limit ? excessTexts : forecastTexts)[period](formatMoney(forecast));

const Spent = ({ cost, share, by }: { cost: string; share: string; by: string | undefined }) =>
  by === undefined ? (
    <Trans>
      {cost} spent, {share}
    </Trans>
  ) : (
    <Trans>
      {cost} spent, {share} by <Text>{by}</Text>
    </Trans>
  );

type Grouping = Pick<WidgetQuery, 'group_by' | 'filters'>;

function SpentOf({ budget, grouping }: { budget: PeriodBudget; grouping: Grouping }) {
  const query: WidgetQuery = { measure: 'cost', interval: 'none', top: 50, ...grouping };
  const now = useMinute();
  const bounds = boundsOf(budget, now);
  const reading = useQuery(analytics(query, { start: new Date(bounds.start).toISOString() }));
  return (
    <Loaded reading={reading}>
      {(answer) => {
        const { cost, by } = spentOf(budget, answer);
        const part = cost / budget.limit;
        const forecast = forecastIn(bounds, cost, Date.parse(answer.at));
        return (
          <p className="budget-spent">
            <span className={part >= 1 ? 'budget-track over' : 'budget-track'} aria-hidden="true">
              <span style={{ width: `${Math.min(1, part) * 100}%` }} />
            </span>
            <span>
              <Spent cost={formatMoney(cost)} share={formatPercent(part * 100)} by={by} />
              {forecast !== undefined && forecastText(budget, forecast)}
            </span>
          </p>
        );
      }}
    </Loaded>
  );
}
