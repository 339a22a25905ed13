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
import { useFolded } from '../parts/use-narrow.ts';
import { useFilters } from '../use-filters.ts';
import { Attention } from './attention.tsx';
import { FigureCard } from './figure-card.tsx';
import { figuresOf } from './figures-of.ts';
import { PageLinks } from './page-links.tsx';
import './home-page.css';

const names: Record<Period, string> = { '1d': '24 hours', '7d': '7 days', '30d': '30 days' };

/** Key figures and what needs attention; before there is anything, how to start. */
export function HomePage({ user }: { user: User }) {
  const reading = useQuery(overview());
  const folded = useFolded();
  return (
    <Page title="Home">
      <Loaded reading={reading}>{(all) => <Content user={user} empty={isEmpty(all)} />}</Loaded>
      {folded && <PageLinks user={user} />}
    </Page>
  );
}

/** The guide stays when the first run arrives, to show it; until the page is left. */
function Content({ user, empty }: { user: User; empty: boolean }) {
  const [guided, setGuided] = useState(empty);
  if (!guided) return <Figures />;
  return (
    <>
      <p className="page-note">
        {empty ? (
          'Nothing is recorded yet. Three steps to start with:'
        ) : (
          <button type="button" className="button" onClick={() => setGuided(false)}>
            Show the key figures
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
          label="Period"
          options={periods.options.map((id) => ({ id, name: names[id] }))}
          value={period}
          onChange={(period) => filters.set({ period: period === '1d' ? '' : period })}
        />
        <Link to="/get-started">Get started</Link>
      </div>
      <Loaded reading={reading}>
        {(found) => (
          <>
            <p className="muted page-note">{noteOf(found, names[period])}</p>
            <ul className="figures" aria-label="Key figures" aria-busy={reading.stale}>
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

const noteOf = ({ figures }: Activity, period: string): string =>
  figures.runs + figures.calls + figures.incidents === 0
    ? `Nothing was recorded in the last ${period}. Choose a longer period to see what was before.`
    : `The last ${period}, compared with the ${period} before.`;
