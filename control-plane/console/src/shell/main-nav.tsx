import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { Link } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { openIncidents } from '../data/incident-sources.ts';
import { pendingApprovals } from '../data/approval-sources.ts';
import type { Source } from '../data/query.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { DocsIcon } from '../icons.tsx';
import { entryOf, pagesFor } from './sidebar-pages.tsx';
import type { PageEntry, PageGroup } from './sidebar-pages.tsx';

interface MainNavProps {
  user: User;
  onFollow: () => void;
}

export function MainNav({ user, onFollow }: MainNavProps) {
  const groups = pagesFor(user);
  const pages = groups.flatMap((group) => group.pages);
  const current = entryOf(pages, usePathname())?.to;
  return (
    <nav aria-label={t`Main`}>
      {groups.map((group) => (
        <NavGroup key={group.name} {...{ ...group, current, onFollow }} />
      ))}
      <div className="nav-group">
        <a href="/docs" target="_blank" rel="noreferrer">
          <DocsIcon />
          <span>
            <Trans>API documentation</Trans>
          </span>
        </a>
      </div>
    </nav>
  );
}

interface OfEntry {
  /** Path of the current entry. */
  current: string | undefined;
  onFollow: () => void;
}

function NavGroup({ name, pages, ...entry }: PageGroup & OfEntry) {
  const id = useId();
  return (
    <div className="nav-group" role="group" aria-labelledby={id}>
      <p id={id}>{name}</p>
      {pages.map((page) => (
        <NavLink key={page.to} {...page} {...entry} />
      ))}
    </div>
  );
}

const NavLink = ({ to, name, icon, current, onFollow }: PageEntry & OfEntry) => (
  <Link to={to} aria-current={to === current ? 'page' : undefined} onClick={onFollow}>
    {icon}
    <span>{name}</span>
    {to === '/incidents' && <CountBadge source={openIncidents()} what={t`open`} />}
    {to === '/approvals' && <CountBadge source={pendingApprovals()} what={t`pending`} />}
  </Link>
);

/** The number of items that need attention; hidden if it is 0. */
function CountBadge({ source, what }: { source: Source<number>; what: string }) {
  const { data = 0 } = useQuery(source);
  if (data === 0) return null;
  return (
    <b className="waiting" title={`${formatCount(data)} ${what}`}>
      {data > 99 ? '99+' : data}
    </b>
  );
}
