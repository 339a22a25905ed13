import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { inventoryRuleList } from '../data/inventory-sources.ts';
import type { InventoryRule } from '../data/inventory-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { actionNames } from '../parts/action-badge.tsx';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { pathTo } from '../path-id.ts';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { conditionText, devicesText } from './rule-words.ts';

const LIMIT = 50;
const pathOf = ({ id }: InventoryRule) => pathTo('inventory-rules', id);

const columns: Column<InventoryRule>[] = [
  {
    name: t`Rule`,
    width: '24%',
    cell: (rule) => (
      <Link to={pathOf(rule)} className="row-link">
        <Clipped text={rule.name} />
      </Link>
    ),
  },
  { name: t`Condition`, cell: (rule) => <Clipped text={conditionText(rule)} /> },
  {
    name: t`Devices`,
    width: '14%',
    wideOnly: true,
    cell: (rule) => <Clipped text={devicesText(rule)} />,
  },
  {
    name: t`Action`,
    width: 96,
    cell: ({ action }) => (
      <Badge tone={action === 'block' ? 'bad' : 'warn'}>
        {action === 'block' ? actionNames.block : t`incident`}
      </Badge>
    ),
  },
  {
    name: t`Unresolved`,
    width: 116,
    align: 'end',
    cell: ({ id, open_incidents }) => (
      <Link to={`/incidents?source=inventory&policy=${encodeURIComponent(id)}`}>
        {formatCount(open_incidents)}
      </Link>
    ),
  },
  { name: t`State`, width: 132, cell: (rule) => <RuleState rule={rule} /> },
];

function RuleState({ rule }: { rule: InventoryRule }) {
  if (!rule.enabled)
    return (
      <State tone="neutral">
        <Trans>Disabled</Trans>
      </State>
    );
  if (rule.evaluating)
    return (
      <State tone="warn">
        <Trans>Evaluating…</Trans>
      </State>
    );
  if (rule.blocks_not_in_force > 0)
    return (
      <State tone="bad">
        <Trans>{formatCount(rule.blocks_not_in_force)} not blocked</Trans>
      </State>
    );
  return (
    <State tone="good">
      <Trans>Active</Trans>
    </State>
  );
}

export function InventoryRules({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const reading = useQuery(inventoryRuleList({ limit: LIMIT, offset }));
  return (
    <Loaded reading={reading}>
      {({ results, count }) =>
        results.length === 0 && offset === 0 ? (
          <Empty title={t`No inventory rules yet`}>
            <p>
              <Trans>
                A rule opens an incident, or blocks the app, when a device has a matching app.
              </Trans>
            </p>
          </Empty>
        ) : (
          <>
            <DataTable
              label={t`Inventory rules`}
              columns={columns}
              rows={results}
              rowKey={({ id }) => id}
              rowLink={pathOf}
              stale={reading.stale}
            />
            <Pager
              label={t`Pages of rules`}
              {...{ offset, limit: LIMIT, count }}
              onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
            />
          </>
        )
      }
    </Loaded>
  );
}
