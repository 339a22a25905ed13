import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { ListedPolicy } from '../data/policy-sources.ts';
import { formatCount, NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Switch } from '../parts/switch.tsx';
import { pathTo } from '../path-id.ts';
import { scopeText } from './policy-draft.ts';
import { categoryName } from './category-names.ts';

interface PoliciesTableProps {
  policies: readonly ListedPolicy[];
  stale: boolean;
  /** Undefined if the user may not change policies. */
  onSwitch: ((policy: ListedPolicy, enabled: boolean) => void) | undefined;
}

const pathOf = ({ id }: ListedPolicy) => pathTo('policies', id);

/** Table of policies in evaluation order. */
export const PoliciesTable = ({ policies, stale, onSwitch }: PoliciesTableProps) => (
  <DataTable
    label={t`Policies`}
    columns={columnsFor(onSwitch)}
    rows={policies}
    rowKey={({ id }) => id}
    rowLink={pathOf}
    stale={stale}
  />
);

const columnsFor = (onSwitch: PoliciesTableProps['onSwitch']): Column<ListedPolicy>[] => [
  {
    name: t`Policy`,
    width: '20%',
    cell: (policy) => (
      <Link to={pathOf(policy)} className="row-link">
        <Clipped text={policy.name} />
      </Link>
    ),
  },
  {
    name: t`Category`,
    width: 126,
    cell: ({ category }) => <Badge>{categoryName(category)}</Badge>,
  },
  {
    name: t`Mode`,
    width: 96,
    cell: ({ mode }) =>
      mode === 'warn' ? (
        <Badge tone="warn">
          <Trans>Warns only</Trans>
        </Badge>
      ) : (
        t`Enforces`
      ),
  },
  { name: t`Applies to`, cell: (policy) => <Clipped text={scopeText(policy)} /> },
  {
    name: t`Priority`,
    width: 88,
    align: 'end',
    wideOnly: true,
    cell: ({ priority }) => formatCount(priority),
  },
  {
    name: t`Hits`,
    width: 92,
    align: 'end',
    cell: ({ id, hits }) =>
      hits === 0 ? (
        '0'
      ) : (
        <Link to={`/incidents?policy=${encodeURIComponent(id)}`}>{formatCount(hits)}</Link>
      ),
  },
  {
    name: t`Last triggered`,
    width: 118,
    cell: ({ last_triggered_at }) =>
      last_triggered_at === null ? NONE : <Ago at={last_triggered_at} />,
  },
  {
    name: t`Enabled`,
    width: 92,
    cell: (policy) => (
      <Switch
        label={t`${policy.name} is enabled`}
        on={policy.enabled}
        disabled={!onSwitch}
        onChange={(enabled) => onSwitch?.(policy, enabled)}
      />
    ),
  },
];
