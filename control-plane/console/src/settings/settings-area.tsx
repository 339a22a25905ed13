import { t } from '@lingui/core/macro';
import { Suspense, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import type { User } from '../data/session.ts';
import { Loading } from '../parts/notice.tsx';
import { settingsPagesFor } from './settings-pages.ts';
import './settings-area.css';

/** Number of pixels of the previous link that stay visible. */
const LEAD = 40;

/** Layout of a settings page, below the links to all of them. */
export function SettingsArea({ user, children }: { user: User; children: ReactNode }) {
  return (
    <>
      <SettingsNav user={user} />
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </>
  );
}

function SettingsNav({ user }: { user: User }) {
  const path = usePathname();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // In a narrow window the links scroll horizontally.
    const links = nav.current;
    const current = links?.querySelector<HTMLElement>(`a[href="${path}"]`);
    if (links && current) links.scrollLeft = current.offsetLeft - links.offsetLeft - LEAD;
  }, [path]);
  return (
    <nav className="settings-nav" aria-label={t`Settings`} ref={nav}>
      {settingsPagesFor(user).map(({ to, name }) => (
        <Link key={to} to={to} aria-current={path === to ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
