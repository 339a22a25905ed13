import type { ReactNode } from 'react';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { Empty } from './notice.tsx';
import { Page } from './page.tsx';

interface AdminsOnlyProps {
  title: string;
  user: User;
  children: ReactNode;
}

/** A page that the service answers to admins and owners only. */
export function AdminsOnly({ title, user, children }: AdminsOnlyProps) {
  if (mayAdminister(user)) return children;
  return (
    <Page title={title}>
      <Empty title={`${title}: for admins`}>
        <p>You are signed in as {user.role}.</p>
      </Empty>
    </Page>
  );
}
