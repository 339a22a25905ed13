import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { tenantStatus } from '#contract/sub-tenants.ts';
import type { User } from '../data/session.ts';
import { subTenantList } from '../data/sub-tenant-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { Select } from '../parts/choice.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useFilters } from '../use-filters.ts';
import { CreateTenant } from './create-tenant.tsx';
import { TenantsTable } from './tenants-table.tsx';

const statusNames = { active: t`Active`, suspended: t`Suspended` } as const;

export const TenantsPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`Sub-tenants`} user={user}>
    <Tenants />
  </AdminsOnly>
);

function Tenants() {
  const filters = useFilters();
  const status = tenantStatus.options.find((one) => one === filters.get('status'));
  const reading = useQuery(subTenantList(status ? { status } : {}));
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={t`Sub-tenants`}
      aside={<CreateButton name={t`Create sub-tenant`} onClick={() => setCreating(true)} />}
    >
      <div className="toolbar">
        <Select
          label={t`Status`}
          all={t`All statuses`}
          options={tenantStatus.options.map((id) => ({ id, name: statusNames[id] }))}
          value={filters.get('status')}
          onChange={(status) => filters.set({ status })}
        />
      </div>
      <Loaded reading={reading}>
        {(tenants) =>
          tenants.length === 0 ? (
            <Empty title={status ? t`No sub-tenant has this status` : t`No sub-tenants`}>
              {!status && (
                <p>
                  <Trans>A sub-tenant has its own users, API keys, policies and quotas.</Trans>
                </p>
              )}
            </Empty>
          ) : (
            <TenantsTable tenants={tenants} stale={reading.stale} />
          )
        }
      </Loaded>
      {creating && (
        <CreateTenant onCreated={() => void reading.refetch()} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}
