import { t } from '@lingui/core/macro';
import { useLocation } from 'wouter';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { CreateButton } from '../parts/create-button.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useFilters } from '../use-filters.ts';
import { AppGroupsList } from './app-groups-list.tsx';
import { InstallationsList } from './installations-list.tsx';
import { InventoryRules } from './inventory-rules.tsx';

const tabs = [
  { id: 'apps', name: t`Apps` },
  { id: 'installations', name: t`Installations` },
  { id: 'rules', name: t`Rules` },
] as const;

/** Page with the AI apps of the fleet and the inventory rules. */
export function AppsPage({ user }: { user: User }) {
  const filters = useFilters();
  const [, navigate] = useLocation();
  const tab = tabs.find(({ id }) => id === filters.get('tab'))?.id ?? 'apps';
  // Filters and sort order belong to one tab, so changing the tab drops them.
  const choose = (tab: string) => navigate(tab === 'apps' ? '/apps' : `/apps?tab=${tab}`);
  return (
    <Page
      title={t`Apps`}
      aside={
        tab === 'rules' &&
        mayAdminister(user) && (
          <CreateButton name={t`Create rule`} onClick={() => navigate('/inventory-rules/new')} />
        )
      }
    >
      <Tabs label={t`Inventory`} tabs={tabs} current={tab} onChoose={choose}>
        {tab === 'apps' && <AppGroupsList filters={filters} />}
        {tab === 'installations' && <InstallationsList filters={filters} />}
        {tab === 'rules' && <InventoryRules filters={filters} />}
      </Tabs>
    </Page>
  );
}
