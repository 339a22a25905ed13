import { Link } from 'wouter';
import { inventoryRuleList } from '../data/inventory-sources.ts';
import type { InventoryRule } from '../data/inventory-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
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
    name: 'Rule',
    width: '24%',
    cell: (rule) => (
      <Link to={pathOf(rule)} className="row-link">
        <Clipped text={rule.name} />
      </Link>
    ),
  },
  { name: 'Condition', cell: (rule) => <Clipped text={conditionText(rule)} /> },
  {
    name: 'Devices',
    width: '14%',
    wideOnly: true,
    cell: (rule) => <Clipped text={devicesText(rule)} />,
  },
  {
    name: 'Action',
    width: 96,
    cell: ({ action }) => (
      <Badge tone={action === 'block' ? 'bad' : 'warn'}>{action ?? 'incident'}</Badge>
    ),
  },
  {
    name: 'Unresolved',
    width: 116,
    align: 'end',
    cell: ({ id, open_incidents }) => (
      <Link to={`/incidents?source=inventory&policy=${encodeURIComponent(id)}`}>
        {formatCount(open_incidents)}
      </Link>
    ),
  },
  { name: 'State', width: 132, cell: (rule) => <RuleState rule={rule} /> },
];

function RuleState({ rule }: { rule: InventoryRule }) {
  if (!rule.enabled) return <State tone="neutral">Disabled</State>;
  if (rule.evaluating) return <State tone="warn">Evaluating…</State>;
  if (rule.blocks_not_in_force > 0)
    return <State tone="bad">{formatCount(rule.blocks_not_in_force)} not blocked</State>;
  return <State tone="good">Active</State>;
}

export function InventoryRules({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const reading = useQuery(inventoryRuleList({ limit: LIMIT, offset }));
  return (
    <Loaded reading={reading}>
      {({ results, count }) =>
        results.length === 0 && offset === 0 ? (
          <Empty title="No inventory rules yet">
            <p>A rule opens an incident, or blocks the app, when a device has a matching app.</p>
          </Empty>
        ) : (
          <>
            <DataTable
              label="Inventory rules"
              columns={columns}
              rows={results}
              rowKey={({ id }) => id}
              rowLink={pathOf}
              stale={reading.stale}
            />
            <Pager
              label="Pages of rules"
              {...{ offset, limit: LIMIT, count }}
              onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
            />
          </>
        )
      }
    </Loaded>
  );
}
