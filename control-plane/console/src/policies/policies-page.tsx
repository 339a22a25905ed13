import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { policyCategories, policyList } from '../data/policy-sources.ts';
import type { Policy } from '../data/policy-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { Select } from '../parts/choice.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { Toolbar } from '../parts/toolbar.tsx';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { PoliciesTable } from './policies-table.tsx';
import { TurnOff } from './turn-off.tsx';
import { categoryName } from './category-names.ts';

const LIMIT = 100;

export function PoliciesPage({ user }: { user: User }) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const filter = filterOf(filters);
  const reading = useQuery(policyList({ limit: LIMIT, offset, ...filter }));
  const { error, attempt } = useAttempt();
  const [, navigate] = useLocation();
  const writes = mayAdminister(user);
  const [leaving, setLeaving] = useState<Policy>();
  const change = async ({ id, version }: Policy, enabled: boolean, note?: string) => {
    const body = { enabled, version, ...(note && { note }) };
    await api.policies.updatePolicy({ params: { id }, body });
    await reading.refetch();
  };
  const onSwitch = (policy: Policy, enabled: boolean) => {
    if (enabled) void attempt(() => change(policy, true));
    else setLeaving(policy);
  };
  return (
    <Page
      title={t`Policies`}
      aside={
        writes && <CreateButton name={t`Create policy`} onClick={() => navigate('/policies/new')} />
      }
    >
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      {leaving && (
        <TurnOff
          policy={leaving}
          onConfirm={(note) => change(leaving, false, note)}
          onClose={() => setLeaving(undefined)}
        />
      )}
      <Loaded reading={reading}>
        {({ results, count }) =>
          count === 0 && Object.keys(filter).length === 0 ? (
            <NoPolicies />
          ) : (
            <>
              <PolicyToolbar filters={filters} />
              {results.length === 0 && <Empty title={t`No policy matches these filters`} />}
              {results.length > 0 && (
                <PoliciesTable
                  policies={results}
                  stale={reading.stale}
                  onSwitch={writes ? onSwitch : undefined}
                />
              )}
              <Pager
                label={t`Pages of policies`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function filterOf({ get }: Filters) {
  const category = get('category');
  const enabled = (['true', 'false'] as const).find((one) => one === get('enabled'));
  return { ...(category && { category }), ...(enabled && { enabled }) };
}

function PolicyToolbar({ filters }: { filters: Filters }) {
  const { data: categories = [] } = useQuery(policyCategories());
  return (
    <Toolbar>
      <Select
        label={t`Category`}
        all={t`All categories`}
        options={categories.map(({ name }) => ({ id: name, name: categoryName(name) }))}
        value={filters.get('category')}
        onChange={(category) => filters.set({ category })}
      />
      <Select
        label={t`Enabled`}
        all={t`Enabled and disabled`}
        options={[
          { id: 'true', name: t`Enabled` },
          { id: 'false', name: t`Disabled` },
        ]}
        value={filters.get('enabled')}
        onChange={(enabled) => filters.set({ enabled })}
      />
    </Toolbar>
  );
}

const NoPolicies = () => (
  <Empty title={t`No policies yet`}>
    <p>
      <Trans>Agents check policies before they run: a policy can allow, limit or block them.</Trans>
    </p>
  </Empty>
);
