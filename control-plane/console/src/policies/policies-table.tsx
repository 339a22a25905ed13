import { Link } from 'wouter';
import type { Policy } from '../data/policy-sources.ts';
import { formatCount } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Switch } from '../parts/switch.tsx';
import { pathTo } from '../path-id.ts';
import { scopeText } from './scope-text.ts';

interface PoliciesTableProps {
  policies: readonly Policy[];
  stale: boolean;
  /** Undefined if the user may not change policies. */
  onSwitch: ((policy: Policy, enabled: boolean) => void) | undefined;
}

const pathOf = ({ id }: Policy) => pathTo('policies', id);

/** Policies in evaluation order. */
export const PoliciesTable = ({ policies, stale, onSwitch }: PoliciesTableProps) => (
  <DataTable
    label="Policies"
    columns={columnsFor(onSwitch)}
    rows={policies}
    rowKey={({ id }) => id}
    rowLink={pathOf}
    stale={stale}
  />
);

const columnsFor = (onSwitch: PoliciesTableProps['onSwitch']): Column<Policy>[] => [
  {
    name: 'Policy',
    width: '28%',
    cell: (policy) => (
      <Link to={pathOf(policy)} className="row-link">
        <Clipped text={policy.name} />
      </Link>
    ),
  },
  { name: 'Category', width: 168, cell: ({ category }) => <Badge>{category}</Badge> },
  { name: 'Applies to', cell: (policy) => <Clipped text={scopeText(policy)} /> },
  { name: 'Priority', width: 90, align: 'end', cell: ({ priority }) => formatCount(priority) },
  {
    name: 'Changed',
    width: 110,
    wideOnly: true,
    cell: ({ updated_at }) => <Ago at={updated_at} />,
  },
  {
    name: 'Enabled',
    width: 92,
    cell: (policy) => (
      <Switch
        label={`${policy.name} is enabled`}
        on={policy.enabled}
        disabled={!onSwitch}
        onChange={(enabled) => onSwitch?.(policy, enabled)}
      />
    ),
  },
];
