import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { analytics } from '../data/dashboard-sources.ts';
import type { WidgetQuery } from '../data/dashboard-sources.ts';
import type { Period } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Chart } from '../dashboards/chart.tsx';
import { groupingNames } from '../dashboards/query-words.ts';
import { Choice } from '../parts/choice.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import type { Filters } from '../use-filters.ts';

const groupings = ['agent', 'user', 'model', 'api_key', 'tag', 'team'] as const;
const TOP = 15;

const titles: Record<(typeof groupings)[number], string> = {
  agent: t`Cost by agent`,
  user: t`Cost by end user`,
  model: t`Cost by model`,
  api_key: t`Cost by API key`,
  tag: t`Cost by tag`,
  team: t`Cost by team`,
};

/** The cost of the period by group, with the change from the previous period. */
export function CostBy({ filters, period }: { filters: Filters; period: Period }) {
  const group_by = groupings.find((one) => one === filters.get('by')) ?? 'agent';
  const agent = filters.get('agent');
  const query: WidgetQuery = {
    measure: 'cost',
    group_by,
    interval: 'none',
    filters: agent ? { agent } : {},
    top: TOP,
  };
  const reading = useQuery(analytics(query, { since: period }));
  return (
    <section className="section" aria-label={t`Cost by group`}>
      <div className="card-header">
        <h2>{titles[group_by]}</h2>
        <Choice
          label={t`Cost by`}
          options={groupings.map((id) => ({ id, name: groupingNames[id] }))}
          value={group_by}
          onChange={(by) => filters.set({ by: by === 'agent' ? '' : by })}
        />
      </div>
      <Loaded reading={reading}>
        {(answer) => (
          <>
            {answer.partial && (
              <Notice tone="warn">
                <Trans>Incomplete: {answer.partial.reason}.</Trans>
              </Notice>
            )}
            <Chart
              title={titles[group_by]}
              kind="bar"
              answer={answer}
              query={query}
              stale={reading.stale}
            />
            {answer.overlapping && (
              <p className="muted">
                <Trans>A run counts for each of its tags.</Trans>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
