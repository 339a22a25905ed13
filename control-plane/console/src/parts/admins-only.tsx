import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { Empty } from './notice.tsx';
import { Page } from './page.tsx';
import { roleNames } from '../users/role-names.ts';

interface AdminsOnlyProps {
  title: string;
  user: User;
  children: ReactNode;
}

/** Shows a page only to admins and owners. The service enforces the same permissions. */
export function AdminsOnly({ title, user, children }: AdminsOnlyProps) {
  if (mayAdminister(user)) return children;
  return (
    <Page title={title}>
      <Empty title={t`${title}: admin role required`}>
        <p>
          <Trans>You are signed in as {roleNames[user.role]}.</Trans>
        </p>
      </Empty>
    </Page>
  );
}
