import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { Role } from '#contract/route.ts';
import { api } from '../data/api.ts';
import { userSessions } from '../data/identity-sources.ts';
import type { ManagedUser } from '../data/identity-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { SessionsList } from '../account/sessions-list.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { RoleField } from './role-field.tsx';
import { UserActions } from './user-actions.tsx';

interface UserRowProps {
  managed: ManagedUser;
  /** The signed-in user. */
  user: User;
  onChanged: () => Promise<void>;
}

/** Row with the role, actions and sessions of a user. Only owners can change owners. */
export function UserRow({ managed, user, onChanged }: UserRowProps) {
  if (managed.role === 'owner' && user.role !== 'owner')
    return (
      <p className="muted">
        <Trans>Only owners can change owners.</Trans>
      </p>
    );
  return (
    <div className="detail-body">
      <ChangeRole {...{ managed, user, onChanged }} />
      <UserActions {...{ managed, onChanged }} self={managed.id === user.id} />
      <Sessions id={managed.id} />
    </div>
  );
}

function ChangeRole({ managed, user, onChanged }: UserRowProps) {
  const [role, setRole] = useState<Role>(managed.role);
  const { error, busy, attempt } = useAttempt();
  const save = () =>
    void attempt(async () => {
      await api.identity.updateUser({ params: { id: managed.id }, body: { role } });
      await onChanged();
    });
  return (
    <div className="inline-form">
      <RoleField role={role} grantedBy={user.role} onChange={setRole} />
      <button
        type="button"
        className="button"
        disabled={busy || role === managed.role}
        onClick={save}
      >
        <Trans>Change role</Trans>
      </button>
      <p className="form-error" role="alert">
        {error}
      </p>
    </div>
  );
}

function Sessions({ id }: { id: string }) {
  const reading = useQuery(userSessions(id));
  return (
    <section className="opened" aria-label={t`Active sessions`}>
      <h3>
        <Trans>Active sessions</Trans>
      </h3>
      <Loaded reading={reading}>
        {(sessions) => (
          <SessionsList
            sessions={sessions}
            onEnd={async (session_id) => {
              await api.identity.endUserSession({ params: { id, session_id } });
              await reading.refetch();
            }}
          />
        )}
      </Loaded>
    </section>
  );
}
