import { Actor } from '../access/actor.tsx';
import type { AuditEntry } from '../data/audit-sources.ts';
import { formatCount, formatExact, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Json } from '../parts/json.tsx';
import { Facts } from '../parts/page.tsx';
import { BeforeAndAfter } from '../policies/version-change.tsx';

const columns: Column<AuditEntry>[] = [
  { name: 'Action', width: '22%', cell: ({ action }) => <Clipped mono text={action} /> },
  { name: 'Actor', cell: ({ actor_type, actor_id }) => <Actor type={actor_type} id={actor_id} /> },
  { name: 'Resource', cell: (entry) => <Clipped mono text={resourceOf(entry)} /> },
  {
    name: 'IP address',
    width: 130,
    wideOnly: true,
    cell: ({ ip }) => <Clipped mono text={ip ?? none} />,
  },
  { name: 'Time', width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface AuditTableProps {
  entries: readonly AuditEntry[];
  stale: boolean;
}

/** Newest first. An expanded entry shows the state before and after the change. */
export const AuditTable = ({ entries, stale }: AuditTableProps) => (
  <DataTable
    label="Audit log"
    columns={columns}
    rows={entries}
    rowKey={({ id }) => id}
    detail={Detail}
    stale={stale}
  />
);

const resourceOf = ({ resource_type, resource_id }: AuditEntry): string =>
  resource_id ? `${resource_type} ${resource_id}` : resource_type;

function Detail(entry: AuditEntry) {
  const { before, after, ...details } = entry.metadata;
  const facts = [
    ['Sequence', formatCount(entry.sequence)],
    ['Time', formatExact(Date.parse(entry.created_at))],
    ['Actor', <Clipped key="actor" mono text={entry.actor_id} />],
    ['IP address', entry.ip ?? none],
    ['Resource', <Clipped key="resource" mono text={resourceOf(entry)} />],
    ['Hash', <Clipped key="hash" mono text={entry.hash} />],
  ] as const;
  return (
    <div className="detail-body">
      <Facts facts={facts} />
      <BeforeAndAfter before={before} after={after} />
      {Object.keys(details).length > 0 && <Json value={details} label="Details" />}
    </div>
  );
}
