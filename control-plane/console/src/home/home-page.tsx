import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import { period as periods } from '#contract/fields.ts';
import type { Period } from '#contract/fields.ts';
import { activity, overview } from '../data/overview-sources.ts';
import type { Activity, Overview } from '../data/overview-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { Checklist } from '../get-started/checklist.tsx';
import { FirstRun } from '../get-started/first-run.tsx';
import { Choice } from '../parts/choice.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useDrawerSidebar } from '../parts/use-narrow.ts';
import { useFilters } from '../use-filters.ts';
import { Attention } from './attention.tsx';
import { FigureCard } from './figure-card.tsx';
import { figuresOf } from './figures-of.ts';
import { pagesFor } from '../shell/sidebar-pages.tsx';
import './home-page.css';

const names: Record<Period, string> = { '1d': t`24 hours`, '7d': t`7 days`, '30d': t`30 days` };

/**
 * Home page: key figures and what needs attention, or the first steps while nothing is recorded.
 */
export function HomePage({ user }: { user: User }) {
  const reading = useQuery(overview());
  const folded = useDrawerSidebar();
  return (
    <Page title={t`Home`}>
      <Loaded reading={reading}>{(all) => <Content user={user} empty={isEmpty(all)} />}</Loaded>
      {folded && <PageLinks user={user} />}
    </Page>
  );
}

/**
 * The first steps or the key figures. The first steps stay visible when the first run arrives, so
 * that they can show it, until the user leaves the page or clicks the button.
 */
function Content({ user, empty }: { user: User; empty: boolean }) {
  const [guided, setGuided] = useState(empty);
  if (!guided) return <Figures />;
  return (
    <>
      <p className="page-note">
        {empty ? (
          t`Nothing is recorded yet. Three steps to start with:`
        ) : (
          <button type="button" className="button" onClick={() => setGuided(false)}>
            <Trans>Show the key figures</Trans>
          </button>
        )}
      </p>
      <Checklist />
      <FirstRun user={user} />
    </>
  );
}

const isEmpty = ({ runs, devices }: Overview): boolean =>
  runs.running + runs.success + runs.error + devices.active + devices.pending === 0;

function Figures() {
  const filters = useFilters();
  const period = periods.options.find((one) => one === filters.get('period')) ?? '1d';
  const reading = useQuery(activity(period));
  return (
    <>
      <div className="toolbar">
        <Choice
          label={t`Period`}
          options={periods.options.map((id) => ({ id, name: names[id] }))}
          value={period}
          onChange={(period) => filters.set({ period: period === '1d' ? '' : period })}
        />
        <Link to="/get-started">
          <Trans>Get started</Trans>
        </Link>
      </div>
      <Loaded reading={reading}>
        {(found) => (
          <>
            <p className="muted page-note">{noteOf(found, period)}</p>
            <ul className="figures" aria-label={t`Key figures`} aria-busy={reading.stale}>
              {figuresOf(found).map((figure) => (
                <FigureCard key={figure.name} {...figure} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <Attention />
    </>
  );
}

const emptyNotes: Record<Period, string> = {
  '1d': t`Nothing was recorded in the last 24 hours. Choose a longer period to see earlier data.`,
  '7d': t`Nothing was recorded in the last 7 days. Choose a longer period to see earlier data.`,
  '30d': t`Nothing was recorded in the last 30 days. Choose a longer period to see earlier data.`,
};
const notes: Record<Period, string> = {
  '1d': t`The last 24 hours, compared with the 24 hours before.`,
  '7d': t`The last 7 days, compared with the 7 days before.`,
  '30d': t`The last 30 days, compared with the 30 days before.`,
};

const noteOf = ({ figures }: Activity, period: Period): string =>
  (figures.runs + figures.calls + figures.incidents === 0 ? emptyNotes : notes)[period];

/** Links to all pages, for small screens, on which the sidebar is folded. */
const PageLinks = ({ user }: { user: User }) => (
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
