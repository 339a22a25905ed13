import type { ApiKey } from '../data/sources.ts';
import { none } from '../format.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago, useNow } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { lifeOf } from './key-life.ts';
import type { KeyLife } from './key-life.ts';

interface KeysTableProps {
  keys: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
}

/** A key expires while it is looked at. */
export function KeysTable({ keys, onRevoke }: KeysTableProps) {
  const now = useNow();
  return (
    <DataTable
      label="API keys"
      columns={columnsFor(now, onRevoke)}
      rows={keys}
      rowKey={({ id }) => id}
      rowClass={(key) => (lifeOf(key, now).works ? '' : 'absent')}
    />
  );
}

const columnsFor = (now: number, revoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  { name: 'Name', cell: ({ name }) => <Clipped text={name} /> },
  { name: 'Permissions', width: 168, cell: (key) => <Permissions names={key.permissions} /> },
  {
    name: 'Created',
    width: 104,
    wideOnly: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
  {
    name: 'Last used',
    width: 104,
    cell: ({ last_used_at }) => <AgoOr at={last_used_at} none="never" />,
  },
  {
    name: 'Expires',
    width: 104,
    wideOnly: true,
    cell: ({ expires_at }) => <AgoOr at={expires_at} none={none} />,
  },
  { name: 'State', width: 192, cell: (key) => <KeyState life={lifeOf(key, now)} /> },
  {
    name: 'Actions',
    width: 96,
    align: 'end',
    cell: (key) =>
      lifeOf(key, now).works && (
        <button type="button" className="button danger" onClick={() => revoke(key)}>
          Revoke
        </button>
      ),
  },
];

const Permissions = ({ names }: { names: readonly string[] }) => (
  <span className="badges">
    {names.map((name) => (
      <Badge key={name}>{name}</Badge>
    ))}
  </span>
);

const AgoOr = ({ at, none }: { at: string | null; none: string }) =>
  at === null ? <span className="muted">{none}</span> : <Ago at={at} />;

function KeyState({ life }: { life: KeyLife }) {
  if (life.works) return <State tone="good">Active</State>;
  return (
    <State tone="neutral">
      <span>
        {life.end} <Ago at={life.at} />
      </span>
    </State>
  );
}
