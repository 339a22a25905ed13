import { useId } from 'react';
import { Link, useRoute } from 'wouter';
import { openIncidents } from '../data/incident-sources.ts';
import { pendingApprovals } from '../data/approval-sources.ts';
import type { Source } from '../data/query.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { DocsIcon } from '../icons.tsx';
import { pagesFor } from './sidebar-pages.tsx';
import type { PageEntry, PageGroup } from './sidebar-pages.tsx';

interface MainNavProps {
  user: User;
  onFollow: () => void;
}

export const MainNav = ({ user, onFollow }: MainNavProps) => (
  <nav aria-label="Main">
    {pagesFor(user).map((group) => (
      <NavGroup key={group.name} {...group} onFollow={onFollow} />
    ))}
    <div className="nav-group">
      <a href="/docs" target="_blank" rel="noreferrer">
        <DocsIcon />
        <span>API documentation</span>
      </a>
    </div>
  </nav>
);

function NavGroup({ name, pages, onFollow }: PageGroup & Pick<MainNavProps, 'onFollow'>) {
  const id = useId();
  return (
    <div className="nav-group" role="group" aria-labelledby={id}>
      <p id={id}>{name}</p>
      {pages.map((page) => (
        <NavLink key={page.to} {...page} onFollow={onFollow} />
      ))}
    </div>
  );
}

function NavLink({ to, name, icon, onFollow }: PageEntry & Pick<MainNavProps, 'onFollow'>) {
  const [within] = useRoute(to === '/' ? to : `${to}/*?`);
  return (
    <Link to={to} aria-current={within ? 'page' : undefined} onClick={onFollow}>
      {icon}
      <span>{name}</span>
      {to === '/incidents' && <CountBadge source={openIncidents()} what="open" />}
      {to === '/approvals' && <CountBadge source={pendingApprovals()} what="pending" />}
    </Link>
  );
}

/** Number of items that need attention; nothing if there are none. */
function CountBadge({ source, what }: { source: Source<number>; what: string }) {
  const { data = 0 } = useQuery(source);
  if (data === 0) return null;
  return (
    <b className="waiting" title={`${formatCount(data)} ${what}`}>
      {data > 99 ? '99+' : data}
    </b>
  );
}
