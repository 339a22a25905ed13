import { captureList } from '../data/capture-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { CaptureAgents } from './capture-agents.tsx';
import { CaptureContent } from './capture-content.tsx';
import { CaptureToolbar } from './capture-toolbar.tsx';
import { CapturesTable } from './captures-table.tsx';

const limit = 50;

/** What was said to AI hosts that capture is on for, as far as it left the devices. */
export function CapturesPage({ user }: { user: User }) {
  const filters = useFilters();
  if (!mayWrite(user)) return <ForAnalysts />;
  const id = filters.get('capture');
  if (id) return <OneCapture id={id} />;
  return (
    <Page title="Captures">
      <CaptureList filters={filters} />
      <CaptureAgents user={user} />
    </Page>
  );
}

const ForAnalysts = () => (
  <Page title="Captures">
    <Empty title="Captures are for analysts">
      <p>They hold what people wrote. An administrator can give you the role of an analyst.</p>
    </Empty>
  </Page>
);

/** Where a run leads to that was made of it. */
const OneCapture = ({ id }: { id: string }) => (
  <Page title="Capture" parent={{ name: 'Captures', to: '/captures' }}>
    <section className="card" aria-label="Capture">
      <CaptureContent id={id} />
    </section>
  </Page>
);

function CaptureList({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const [filter, range] = [filterOf(filters), timeRangeOf(filters)];
  const reading = useQuery(captureList({ limit, offset, ...filter }, range));
  const filtered = Object.keys({ ...filter, ...range }).length > 0;
  return (
    <>
      <CaptureToolbar filters={filters} />
      <Loaded reading={reading}>
        {(list) =>
          list.results.length === 0 && offset === 0 ? (
            <NoCaptures filtered={filtered} />
          ) : (
            <>
              <CapturesTable captures={list.results} stale={reading.stale} />
              <Pager
                label="Pages of captures"
                {...{ offset, limit, count: list.count, exact: list.count_exact }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function filterOf({ get }: Pick<Filters, 'get'>) {
  const [device, host, app] = [get('device'), get('host'), get('app')];
  return { ...(device && { device }), ...(host && { host }), ...(app && { app }) };
}

function NoCaptures({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No capture matches these filters" />;
  return (
    <Empty title="Nothing has been captured">
      <p>
        Nothing is decrypted before an administrator switches capture on for a host on the page
        Guard. Devices redact what they capture before it leaves them.
      </p>
    </Empty>
  );
}
