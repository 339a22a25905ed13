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

/** Exchanges with captured AI hosts, as redacted and sent by the devices. */
export function CapturesPage({ user }: { user: User }) {
  const filters = useFilters();
  if (!mayWrite(user)) return <AnalystsOnly />;
  const id = filters.get('capture');
  if (id) return <OneCapture id={id} />;
  return (
    <Page title="Captures">
      <CaptureList filters={filters} />
      <CaptureAgents user={user} />
    </Page>
  );
}

const AnalystsOnly = () => (
  <Page title="Captures">
    <Empty title="Captures require the analyst role">
      <p>Captures contain what people wrote. Ask an administrator for the analyst role.</p>
    </Empty>
  </Page>
);

/** A single capture, linked from its run. */
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
    <Empty title="No captures yet">
      <p>
        Nothing is decrypted until an administrator switches capture on for a host in Guard. Devices
        redact captures before they send them.
      </p>
    </Empty>
  );
}
