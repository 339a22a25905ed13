import type { ApiKey } from '../data/sources.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago, useNow } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { lifeOf } from './key-life.ts';

interface KeysTableProps {
  keys: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
}

/** Re-renders with the clock, because keys expire. */
export function KeysTable({ keys, onRevoke, onRotate }: KeysTableProps) {
  const now = useNow();
  return (
    <DataTable
      label="API keys"
      columns={columnsFor(now, { onRevoke, onRotate })}
      rows={keys}
      rowKey={({ id }) => id}
      rowClass={(key) => (lifeOf(key, now).works ? '' : 'absent')}
    />
  );
}

type Actions = Pick<KeysTableProps, 'onRevoke' | 'onRotate'>;

const columnsFor = (now: number, { onRevoke, onRotate }: Actions): Column<ApiKey>[] => [
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
  { name: 'State', width: 192, cell: (key) => <KeyState apiKey={key} now={now} /> },
  {
    name: 'Actions',
    width: 178,
    align: 'end',
    cell: (key) =>
      lifeOf(key, now).works && (
        <span className="button-row">
          <button type="button" className="button" onClick={() => onRotate(key)}>
            Rotate
          </button>
          <button type="button" className="button danger" onClick={() => onRevoke(key)}>
            Revoke
          </button>
        </span>
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

function KeyState({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  const life = lifeOf(apiKey, now);
  if (life.works && apiKey.expires_at === null) return <State tone="good">Active</State>;
  if (life.works)
    return (
      <State tone="good">
        <span>
          Active, expires <Ago at={apiKey.expires_at ?? ''} />
        </span>
      </State>
    );
  return (
    <State tone="neutral">
      <span>
        {life.end} <Ago at={life.at} />
      </span>
    </State>
  );
}
