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
  { name: 'Who', cell: ({ actor_type, actor_id }) => <Actor type={actor_type} id={actor_id} /> },
  { name: 'What', cell: (entry) => <Clipped mono text={resourceOf(entry)} /> },
  {
    name: 'From',
    width: 130,
    wideOnly: true,
    cell: ({ ip }) => <Clipped mono text={ip ?? none} />,
  },
  { name: 'When', width: 110, cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface AuditTableProps {
  entries: readonly AuditEntry[];
  stale: boolean;
}

/** Newest first; opened, an entry says what there was before and after. */
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
  const { before, after, ...more } = entry.metadata;
  const facts = [
    ['Entry', `${formatCount(entry.sequence)} of the log`],
    ['When', formatExact(Date.parse(entry.created_at))],
    ['Who', <Clipped key="who" mono text={entry.actor_id} />],
    ['From', entry.ip ?? none],
    ['What', <Clipped key="what" mono text={resourceOf(entry)} />],
    ['Hash', <Clipped key="hash" mono text={entry.hash} />],
  ] as const;
  return (
    <div className="detail-body">
      <Facts facts={facts} />
      <BeforeAndAfter before={before} after={after} />
      {Object.keys(more).length > 0 && <Json value={more} label="More" />}
    </div>
  );
}
