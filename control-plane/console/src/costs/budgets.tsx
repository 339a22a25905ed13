import { Link } from 'wouter';
import { analytics } from '../data/dashboard-sources.ts';
import type { WidgetQuery } from '../data/dashboard-sources.ts';
import { LONGEST_PAGE } from '../data/many.ts';
import { policyList } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMoney, formatPercent } from '../format.ts';
import { useMinute } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { boundsOf, budgetsOf, forecastIn, groupingOf, spentOf } from './budget-rules.ts';
import type { PeriodBudget } from './budget-rules.ts';
import './budgets.css';

/** The budgets of policies, what is spent of them in their period, and what it comes to. */
export function Budgets() {
  const reading = useQuery(policyList({ limit: LONGEST_PAGE, enabled: 'true' }));
  return (
    <section className="card" aria-label="Budgets">
      <h2>Budgets</h2>
      <Loaded reading={reading}>
        {({ results }) => {
          const budgets = budgetsOf(results);
          if (budgets.length === 0)
            return (
              <p className="muted">
                No policy limits the cost of a day, week or month.{' '}
                <Link to="/policies/new">Create a policy</Link> of the category budget.
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
  const { policy, model, limit, action } = budget;
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
      <p className="muted">
        {formatMoney(limit)} a {budget.period} ({budget.zone})
        {budget.ofEachAgent && ' for each agent'}, then {action}
      </p>
    </li>
  );
}

function Spending({ budget }: { budget: PeriodBudget }) {
  const grouping = groupingOf(budget);
  if (!grouping) return <p className="muted">Counted for each of its agents</p>;
  return <SpentOf budget={budget} grouping={grouping} />;
}

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
              {formatMoney(cost)} spent, {formatPercent(part * 100)}
              {by !== undefined && (
                <>
                  {' '}
                  by <Text>{by}</Text>
                </>
              )}
              {forecast !== undefined && (
                <>
                  , ≈ {formatMoney(forecast)} by the end of the {budget.period}
                  {forecast > budget.limit && ', over the budget'}
                </>
              )}
            </span>
          </p>
        );
      }}
    </Loaded>
  );
}
