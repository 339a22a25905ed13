import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SubTenantDetail } from '../data/sub-tenant-sources.ts';
import { subTenantDetail, subTenantList } from '../data/sub-tenant-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { NONE } from '../format.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { EditTenant } from './edit-tenant.tsx';
import { QuotaUse } from './quota-use.tsx';
import { SuspendTenant } from './suspend-tenant.tsx';
import { TenantState } from './tenant-state.tsx';
import { TenantsTable } from './tenants-table.tsx';

export const TenantPage = ({ id, user }: { id: string; user: User }) => (
  <AdminsOnly title={t`Sub-tenant`} user={user}>
    <Tenant id={id} />
  </AdminsOnly>
);

function Tenant({ id }: { id: string }) {
  const reading = useQuery(subTenantDetail(id));
  const { data } = reading;
  return (
    <Page
      title={data?.name ?? t`Sub-tenant`}
      parent={{ name: t`Sub-tenants`, to: '/settings/tenants' }}
      aside={
        data && (
          <div className="button-row">
            <TenantState status={data.status} />
            <SuspendTenant tenant={data} onChanged={reading.refetch} />
          </div>
        )
      }
    >
      <Loaded reading={reading}>
        {(tenant) => (
          <>
            <Suspended tenant={tenant} />
            <QuotaUse tenant={tenant} />
            <section className="card" aria-label={t`Sub-tenant`}>
              <Facts facts={factsOf(tenant)} />
            </section>
            <EditTenant tenant={tenant} onChanged={reading.refetch} />
            <Children id={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Suspended({ tenant: { suspended_at, suspend_reason } }: { tenant: SubTenantDetail }) {
  if (suspended_at === null) return null;
  return (
    <Notice tone="warn">
      <Trans>
        Suspended <Ago at={suspended_at} />
      </Trans>
      {suspend_reason && (
        <>
          : <Text>{suspend_reason}</Text>
        </>
      )}
    </Notice>
  );
}

const factsOf = (tenant: SubTenantDetail) =>
  [
    ['ID', <Clipped key="id" mono text={tenant.id} />],
    [t`Slug`, <Clipped key="slug" mono text={tenant.slug} />],
    [t`External id`, tenant.external_id ?? NONE],
    [t`Contact`, tenant.contact_email ?? NONE],
    [t`Created`, <Ago key="created" at={tenant.created_at} />],
    [t`Changed`, <Ago key="changed" at={tenant.updated_at} />],
  ] as const;

function Children({ id }: { id: string }) {
  const { data = [], stale } = useQuery(subTenantList({ parent_id: id }));
  if (data.length === 0) return null;
  return (
    <Section title={t`Sub-tenants`}>
      <TenantsTable tenants={data} stale={stale} />
    </Section>
  );
}
