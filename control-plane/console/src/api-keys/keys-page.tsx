import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { User } from '../data/session.ts';
import { apiKeys } from '../data/api-key-sources.ts';
import type { ApiKey } from '../data/api-key-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { CreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

export const KeysPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`API keys`} user={user}>
    <Keys />
  </AdminsOnly>
);

function Keys() {
  const reading = useQuery(apiKeys());
  const refetch = () => void reading.refetch();
  const [creating, setCreating] = useState(false);
  const [rotating, setRotating] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <Page
      title={t`API keys`}
      aside={<CreateButton name={t`Create API key`} onClick={() => setCreating(true)} />}
    >
      <Loaded reading={reading}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty title={t`No API keys`} />
          ) : (
            <KeysTable keys={keys} onRevoke={setRevoking} onRotate={setRotating} />
          )
        }
      </Loaded>
      {creating && <CreateKey onCreated={refetch} onClose={() => setCreating(false)} />}
      {rotating && (
        <RotateKey apiKey={rotating} onRotated={refetch} onClose={() => setRotating(undefined)} />
      )}
      {revoking && (
        <RevokeKey apiKey={revoking} onRevoked={refetch} onClose={() => setRevoking(undefined)} />
      )}
    </Page>
  );
}
