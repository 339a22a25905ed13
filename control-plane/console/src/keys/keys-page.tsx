import { useState } from 'react';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { apiKeys } from '../data/sources.ts';
import type { ApiKey } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { none } from '../format.ts';
import { PlusIcon } from '../icons.tsx';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { CreateKey } from './create-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

export function KeysPage({ user }: { user: User }) {
  if (mayAdminister(user)) return <Keys />;
  return (
    <Page title="API keys">
      <Empty title="API keys are for admins">
        <p>You are signed in as {user.role}.</p>
      </Empty>
    </Page>
  );
}

function Keys() {
  const reading = useQuery(apiKeys());
  const refetch = () => void reading.refetch();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <Page title="API keys" aside={<CreateButton onClick={() => setCreating(true)} />}>
      <Loaded reading={reading}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="There is no API key" />
          ) : (
            <DataTable
              label="API keys"
              columns={columnsFor(setRevoking)}
              rows={keys}
              rowKey={({ id }) => id}
              rowClass={({ revoked_at }) => (revoked_at === null ? '' : 'absent')}
            />
          )
        }
      </Loaded>
      {creating && <CreateKey onCreated={refetch} onClose={() => setCreating(false)} />}
      {revoking && (
        <RevokeKey apiKey={revoking} onRevoked={refetch} onClose={() => setRevoking(undefined)} />
      )}
    </Page>
  );
}

const CreateButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className="button primary" onClick={onClick}>
    <PlusIcon />
    Create API key
  </button>
);

const columnsFor = (revoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  { name: 'Name', cell: ({ name }) => <Clipped text={name} /> },
  { name: 'Permissions', width: '28%', cell: (key) => <Permissions names={key.permissions} /> },
  {
    name: 'Created',
    width: 112,
    wideOnly: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
  {
    name: 'Last used',
    width: 112,
    cell: ({ last_used_at }) => <AgoOr at={last_used_at} none="never" />,
  },
  {
    name: 'Expires',
    width: 112,
    wideOnly: true,
    cell: ({ expires_at }) => <AgoOr at={expires_at} none={none} />,
  },
  { name: 'State', width: 160, cell: (key) => <KeyState apiKey={key} /> },
  {
    name: 'Actions',
    width: 96,
    align: 'end',
    cell: (key) =>
      key.revoked_at === null && (
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

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.revoked_at === null) return <State tone="good">Active</State>;
  return (
    <State tone="neutral">
      <span>
        Revoked <Ago at={apiKey.revoked_at} />
      </span>
    </State>
  );
}
