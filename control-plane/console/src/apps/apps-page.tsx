import { useLocation } from 'wouter';
import { appGroupList } from '../data/app-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { CreateButton } from '../parts/create-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { AppGroupsTable } from './app-groups-table.tsx';
import { appGroupFilterOf, AppGroupsToolbar, newSinceOf } from './app-groups-toolbar.tsx';
import { InventoryRules } from './inventory-rules.tsx';

const limit = 50;

const tabs = [
  { id: 'apps', name: 'Apps' },
  { id: 'rules', name: 'Rules' },
] as const;

/** AI apps across the fleet, and the rules on them. */
export function AppsPage({ user }: { user: User }) {
  const filters = useFilters();
  const [, navigate] = useLocation();
  const tab = filters.get('tab') === 'rules' ? 'rules' : 'apps';
  return (
    <Page
      title="Apps"
      aside={
        tab === 'rules' &&
        mayAdminister(user) && (
          <CreateButton name="Create rule" onClick={() => navigate('/inventory-rules/new')} />
        )
      }
    >
      <Tabs
        label="Inventory"
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'rules' ? tab : '' })}
      >
        {tab === 'rules' ? <InventoryRules filters={filters} /> : <AppGroups filters={filters} />}
      </Tabs>
    </Page>
  );
}

function AppGroups({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const filter = { limit, offset, ...appGroupFilterOf(filters) };
  const reading = useQuery(appGroupList(filter, newSinceOf(filters)));
  return (
    <>
      <AppGroupsToolbar filters={filters} count={reading.data?.count} />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 ? (
            <Empty title="No app matches these filters">
              <p>Agents report the AI apps of their devices at regular intervals.</p>
            </Empty>
          ) : (
            <>
              <AppGroupsTable groups={results} stale={reading.stale} />
              <Pager
                label="Pages of apps"
                {...{ offset, limit, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}
