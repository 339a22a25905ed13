import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { managedUsers } from '../data/identity-sources.ts';
import { mayAdminister } from '../data/session.ts';
import { apiKeys } from '../data/api-key-sources.ts';
import { useQuery, useSession } from '../data/use-query.ts';
import { Clipped } from '../parts/badge.tsx';

interface ActorProps {
  type: 'user' | 'agent' | 'system';
  id: string;
}

/** The actor of an entry: by name if the viewer may list users and API keys, otherwise by id. */
export function Actor({ type, id }: ActorProps) {
  const session = useSession();
  if (type === 'system')
    return (
      <>
        <Trans>System</Trans>
      </>
    );
  if (session.status !== 'signed-in') return <Clipped mono text={id} />;
  if (id === session.user.id) return <Clipped text={session.user.email} />;
  if (!mayAdminister(session.user)) return <Clipped mono text={id} />;
  return type === 'user' ? <UserName id={id} /> : <KeyName id={id} />;
}

function UserName({ id }: { id: string }) {
  const { data = [] } = useQuery(managedUsers());
  const email = data.find((user) => user.id === id)?.email;
  return <Clipped mono={email === undefined} text={email ?? id} title={`${email ?? ''} ${id}`} />;
}

export function KeyName({ id }: { id: string }) {
  const { data = [] } = useQuery(apiKeys());
  const name = data.find((key) => key.id === id)?.name;
  return <Clipped mono={name === undefined} text={name ?? id} title={t`API key ${id}`} />;
}
