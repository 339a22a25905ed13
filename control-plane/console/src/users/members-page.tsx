import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { roles } from '#contract/route.ts';
import { managedUsers } from '../data/identity-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { Descriptions } from '../parts/descriptions.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { CreateUser } from './create-user.tsx';
import { roleDescriptions } from './role-field.tsx';
import { UsersTable } from './users-table.tsx';
import { roleNames } from './role-names.ts';

/** Describes what each role may do. */
const RoleDescriptions = () => (
  <Section title={t`Roles`}>
    <div className="card">
      <Descriptions descriptions={roles.map((role) => [roleNames[role], roleDescriptions[role]])} />
    </div>
  </Section>
);

/** Page with the console users and their roles. The end users of agents are on the page End users. */
export const MembersPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`Members`} user={user}>
    <Members user={user} />
  </AdminsOnly>
);

function Members({ user }: { user: User }) {
  const reading = useQuery(managedUsers());
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={t`Members`}
      aside={<CreateButton name={t`Create user`} onClick={() => setCreating(true)} />}
    >
      <Loaded reading={reading}>
        {(users) => <UsersTable {...{ users, user }} onChanged={reading.refetch} />}
      </Loaded>
      <RoleDescriptions />
      {creating && (
        <CreateUser
          user={user}
          onCreated={() => void reading.refetch()}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}
