import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { User } from '../data/session.ts';
import { pagesFor } from '../shell/sidebar-pages.tsx';
import './page-links.css';

/** Where the sidebar is folded, all pages are one tap away from Home too. */
export const PageLinks = ({ user }: { user: User }) => (
  <nav aria-label={t`Pages`} className="page-links">
    {pagesFor(user)
      .flatMap(({ pages }) => pages)
      .filter(({ to }) => to !== '/')
      .map(({ to, name, icon }) => (
        <Link key={to} to={to} className="card">
          {icon}
          <span>{name}</span>
        </Link>
      ))}
  </nav>
);
