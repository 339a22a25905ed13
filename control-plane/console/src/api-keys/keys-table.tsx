import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ApiKey } from '../data/api-key-sources.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago, useNow } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { KeyName } from '../users/actor.tsx';
import { validityOf } from './key-expiry.ts';
import './keys-table.css';

interface KeysTableProps {
  keys: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
}

/** Table of API keys. It re-renders with the clock, because keys expire. */
export function KeysTable({ keys, onRevoke, onRotate }: KeysTableProps) {
  const now = useNow();
  return (
    <DataTable
      label={t`API keys`}
      columns={columnsFor(now, { onRevoke, onRotate })}
      rows={keys}
      rowKey={({ id }) => id}
      rowClass={(key) => (validityOf(key, now).isValid ? '' : 'absent')}
    />
  );
}

type Actions = Pick<KeysTableProps, 'onRevoke' | 'onRotate'>;

const columnsFor = (now: number, { onRevoke, onRotate }: Actions): Column<ApiKey>[] => [
  { name: t`Name`, cell: (key) => <NameCell apiKey={key} /> },
  { name: t`Permissions`, width: 168, cell: (key) => <Permissions names={key.permissions} /> },
  {
    name: t`Created`,
    width: 148,
    wideOnly: true,
    cell: (key) => <CreatedCell apiKey={key} />,
  },
  {
    name: t`Last used`,
    width: 104,
    cell: ({ last_used_at }) => <AgoOr at={last_used_at} none={t`never`} />,
  },
  { name: t`State`, width: 192, cell: (key) => <KeyState apiKey={key} now={now} /> },
  {
    name: t`Actions`,
    width: 166,
    align: 'end',
    cell: (key) =>
      validityOf(key, now).isValid && (
        <span className="button-row">
          <button type="button" className="button" onClick={() => onRotate(key)}>
            <Trans>Rotate</Trans>
          </button>
          <button type="button" className="button danger" onClick={() => onRevoke(key)}>
            <Trans>Revoke</Trans>
          </button>
        </span>
      ),
  },
];

/** The name of a key, with the prefix and last characters that identify a leaked key. */
const NameCell = ({ apiKey: { name, prefix, last_four } }: { apiKey: ApiKey }) => (
  <span className="two-lines">
    <Clipped text={name} />
    {prefix !== null && last_four !== null && (
      <Clipped
        mono
        text={`${prefix}…${last_four}`}
        title={t`First and last characters of the key`}
      />
    )}
  </span>
);

/**
 * When the key was created and by which user. For keys created through another key, shows that
 * key's id.
 */
const CreatedCell = ({ apiKey: { created_at, created_by } }: { apiKey: ApiKey }) => (
  <span className="two-lines">
    <Ago at={created_at} />
    {created_by !== null && (
      <span className="muted">
        {created_by.includes('@') ? <Clipped text={created_by} /> : <KeyName id={created_by} />}
      </span>
    )}
  </span>
);

const Permissions = ({ names }: { names: readonly string[] }) => (
  <span className="badges">
    {names.map((name) => (
      <Badge key={name}>{name}</Badge>
    ))}
  </span>
);

const AgoOr = ({ at, none }: { at: string | null; none: string }) =>
  at === null ? <span className="muted">{none}</span> : <Ago at={at} />;

const ends = { Revoked: t`Revoked`, Expired: t`Expired` } as const;

function KeyState({ apiKey, now }: { apiKey: ApiKey; now: number }) {
  const life = validityOf(apiKey, now);
  if (life.isValid && apiKey.expires_at === null)
    return (
      <State tone="good">
        <Trans>Active</Trans>
      </State>
    );
  if (life.isValid)
    return (
      <State tone="good">
        <span>
          <Trans>
            Active, expires <Ago at={apiKey.expires_at ?? ''} />
          </Trans>
        </span>
      </State>
    );
  return (
    <State tone="neutral">
      <span>
        {ends[life.end]} <Ago at={life.at} />
      </span>
    </State>
  );
}
