import { useState } from 'react';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { apiKeys } from '../data/sources.ts';
import type { ApiKey } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { PlusIcon } from '../icons.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { CreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
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
            <KeysTable keys={keys} onRevoke={setRevoking} />
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
