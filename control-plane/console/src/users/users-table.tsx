import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ManagedUser } from '../data/identity-sources.ts';
import type { User } from '../data/session.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { UserRow } from './user-row.tsx';
import { roleNames } from './role-names.ts';

const columns: Column<ManagedUser>[] = [
  { name: t`Email`, width: '32%', cell: ({ email }) => <Clipped text={email} /> },
  { name: t`Role`, width: 96, cell: ({ role }) => <Badge>{roleNames[role]}</Badge> },
  { name: t`State`, cell: (user) => <UserState user={user} /> },
  {
    name: t`Last sign-in`,
    width: 116,
    cell: ({ last_sign_in_at }) => <AgoOr at={last_sign_in_at} />,
  },
  {
    name: t`Created`,
    width: 110,
    wideOnly: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
];

interface UsersTableProps {
  users: readonly ManagedUser[];
  user: User;
  onChanged: () => Promise<void>;
}

export const UsersTable = ({ users, user, onChanged }: UsersTableProps) => (
  <DataTable
    label={t`Members`}
    columns={columns}
    rows={users}
    rowKey={({ id }) => id}
    rowClass={({ disabled }) => (disabled ? 'absent' : '')}
    detail={rowFor(user, onChanged)}
  />
);

const rowFor = (user: User, onChanged: () => Promise<void>) =>
  function Row(managed: ManagedUser) {
    return <UserRow key={managed.role} {...{ managed, user, onChanged }} />;
  };

function UserState({ user }: { user: ManagedUser }) {
  if (user.disabled)
    return (
      <State tone="neutral">
        <Trans>Disabled</Trans>
      </State>
    );
  if (!user.has_password)
    return (
      <State tone="good">
        <Trans>Active (SSO)</Trans>
      </State>
    );
  if (user.must_change_password)
    return (
      <State tone="warn">
        <Trans>Must change password</Trans>
      </State>
    );
  return (
    <State tone="good">
      <Trans>Active</Trans>
    </State>
  );
}

const AgoOr = ({ at }: { at: string | null }) =>
  at === null ? (
    <span className="muted">
      <Trans>never</Trans>
    </span>
  ) : (
    <Ago at={at} />
  );
