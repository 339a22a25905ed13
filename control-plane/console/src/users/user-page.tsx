import { userDetail } from '../data/analytics-sources.ts';
import type { TrackedUserDetail } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Numbers } from '../parts/numbers.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { RunsTable } from '../runs/runs-table.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import { UserCosts } from './user-costs.tsx';

const limit = 50;

export function UserPage({ id }: { id: string }) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const reading = useQuery(userDetail(id, { limit, offset }));
  return (
    <Page title={id} parent={{ name: 'Users', to: '/users' }}>
      <Loaded reading={reading}>
        {({ aggregates, cost_by_model, runs }) => (
          <>
            <Numbers numbers={numbersOf(aggregates)} />
            <p className="page-note muted">
              Agents: <Text>{aggregates.agents.join(', ')}</Text>
            </p>
            <UserCosts costs={cost_by_model} />
            <Section title="Runs" count={formatCount(aggregates.run_count)}>
              <RunsTable runs={runs} stale={reading.stale} />
              <Pager
                label="Pages of runs"
                {...{ offset, limit, count: aggregates.run_count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function numbersOf(user: TrackedUserDetail['aggregates']) {
  return [
    ['Runs', formatCount(user.run_count)],
    ['Tokens', formatCount(user.total_tokens)],
    ['Cost', formatMoney(user.total_cost)],
    ['First seen', <Ago key="first" at={user.first_seen} />],
    ['Last seen', <Ago key="last" at={user.last_seen} />],
  ] as const;
}
