import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { SubTenant } from '../data/sub-tenant-sources.ts';
import { NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { pathTo } from '../path-id.ts';
import { TenantState } from './tenant-state.tsx';

const pathOf = ({ id }: SubTenant) => pathTo('sub-tenants', id);

const columns: Column<SubTenant>[] = [
  {
    name: t`Sub-tenant`,
    width: '34%',
    cell: (tenant) => (
      <Link to={pathOf(tenant)} className="row-link">
        <Clipped text={tenant.name} />
      </Link>
    ),
  },
  { name: t`Slug`, wideOnly: true, cell: ({ slug }) => <Clipped mono text={slug} /> },
  { name: t`External id`, cell: ({ external_id }) => <Clipped mono text={external_id ?? NONE} /> },
  { name: t`Status`, width: 120, cell: ({ status }) => <TenantState status={status} /> },
  { name: t`Created`, width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface TenantsTableProps {
  tenants: readonly SubTenant[];
  stale: boolean;
}

export const TenantsTable = ({ tenants, stale }: TenantsTableProps) => (
  <DataTable
    label={t`Sub-tenants`}
    columns={columns}
    rows={tenants}
    rowKey={({ id }) => id}
    rowLink={pathOf}
    stale={stale}
  />
);
