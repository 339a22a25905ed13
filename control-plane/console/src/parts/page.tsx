import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { formatCount } from '../format.ts';
import { markInvisible } from '../mark-invisible.ts';
import { Text } from './text.tsx';
import './page.css';

let shown: string | undefined;

/** Called when a page appears. Returns whether the user came from another page. */
export function cameFromOtherPage(): boolean {
  const arrived = shown !== undefined && shown !== location.pathname;
  shown = location.pathname;
  return arrived;
}

interface PageProps {
  /** Heading and document title. */
  title: string;
  /** Parent page for the breadcrumb. */
  parent?: { name: string; to: string };
  /** Shown beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Page({ title, parent, aside, children }: PageProps) {
  useEffect(() => {
    document.title = `${markInvisible(title)} · Gatehouse`;
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    // The focus makes screen readers announce the title, and the Tab key continues from here.
    if (cameFromOtherPage()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header className="page-header">
        <div className="page-title">
          {parent && (
            <nav aria-label={t`Breadcrumb`} className="breadcrumb">
              <Link to={parent.to}>{parent.name}</Link>
              <span aria-hidden="true">/</span>
            </nav>
          )}
          <h1 ref={heading} tabIndex={-1} title={markInvisible(title)}>
            <Text>{title}</Text>
          </h1>
        </div>
        {aside}
      </header>
      {children}
    </>
  );
}

/** A list of names and values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? <Text>{value}</Text> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface PagerProps {
  label: string;
  offset: number;
  limit: number;
  count: number;
  /** False if `count` is only a lower bound. */
  exact?: boolean;
  onMove: (offset: number) => void;
}

export function Pager({ label, offset, limit, count, exact = true, onMove }: PagerProps) {
  if (count <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, count);
  const [from, to, all] = [formatCount(offset + 1), formatCount(last), formatCount(count)];
  return (
    <nav className="pager" aria-label={label}>
      <span>{exact ? t`${from}–${to} of ${all}` : t`${from}–${to} of more than ${all}`}</span>
      <button
        type="button"
        className="button"
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - limit))}
      >
        <Trans>Previous</Trans>
      </button>
      <button
        type="button"
        className="button"
        disabled={last >= count}
        onClick={() => onMove(offset + limit)}
      >
        <Trans>Next</Trans>
      </button>
    </nav>
  );
}
