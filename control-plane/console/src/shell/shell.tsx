import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { User } from '../data/session.ts';
import { zoneName } from '../display.ts';
import { useLiveStatus } from '../data/use-query.ts';
import { AccountIcon, MenuIcon, SearchIcon } from '../icons.tsx';
import { Clipped, State } from '../parts/badge.tsx';
import { useDrawerSidebar } from '../parts/use-narrow.ts';
import { SignOutButton } from '../sign-in/sign-out-button.tsx';
import { Brand } from './brand.tsx';
import { MainNav } from './main-nav.tsx';
import { Shortcuts, useShortcuts } from './shortcuts.tsx';
import { SwitchTenant } from './switch-tenant.tsx';
import { roleNames } from '../users/role-names.ts';
import './shell.css';

/**
 * Layout of every page with the sidebar and the content. In narrow windows the sidebar is a drawer.
 */
export function Shell({ user, children }: { user: User; children: ReactNode }) {
  const folded = useDrawerSidebar();
  const [opened, setOpened] = useState(false);
  const { layer, show, hide } = useShortcuts(user);
  const drawer = folded && opened;
  const close = () => setOpened(false);
  const account = t`${user.email}, ${roleNames[user.role]}: your account`;
  return (
    <div className="shell">
      <a className="skip" href="#content">
        <Trans>Skip to content</Trans>
      </a>
      <header
        className="frame"
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      >
        {folded && (
          <div className="top-bar">
            <button
              type="button"
              className="icon-button"
              aria-label={t`Menu`}
              aria-expanded={drawer}
              aria-controls="sidebar"
              onClick={() => setOpened(!opened)}
            >
              <MenuIcon />
            </button>
            <Brand />
            <SearchButton onClick={() => show('palette')} />
          </div>
        )}
        <div className={drawer ? 'sidebar opened' : 'sidebar'} id="sidebar">
          {!folded && <Brand />}
          {!folded && <SearchButton onClick={() => show('palette')} />}
          <MainNav user={user} onFollow={close} />
          <div className="account">
            <div className="states">
              <LiveState />
              <Link
                to="/settings/appearance"
                className="zone"
                title={t`All times are in ${zoneName()}`}
                onClick={close}
              >
                <Clipped text={zoneName()} title={t`All times are in ${zoneName()}`} />
              </Link>
            </div>
            <Link to="/account" className="who" title={account} onClick={close}>
              <AccountIcon />
              <span>
                <Clipped text={user.tenant.name} />
                <Clipped text={user.email} title={account} />
              </span>
            </Link>
            <SwitchTenant />
            <SignOutButton />
          </div>
        </div>
        {drawer && <div className="behind" onClick={close} />}
      </header>
      <main id="content" tabIndex={-1} inert={drawer}>
        {children}
      </main>
      {layer && <Shortcuts user={user} layer={layer} onClose={hide} />}
    </div>
  );
}

const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" className="button go-to" aria-keyshortcuts="Control+K" onClick={onClick}>
    <SearchIcon />
    <span>
      <Trans>Go to…</Trans>
    </span>
    <kbd>Ctrl K</kbd>
  </button>
);

function LiveState() {
  const live = useLiveStatus() === 'live';
  return (
    <div className="live-state" role="status" title={live ? t`Live` : t`Reconnecting…`}>
      <State tone={live ? 'good' : 'warn'}>
        <span>{live ? t`Live` : t`Reconnecting…`}</span>
      </State>
    </div>
  );
}
