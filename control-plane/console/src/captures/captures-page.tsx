import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { captureRoutes, MAX_SEARCHED_CAPTURES } from '#contract/captures.ts';
import { captureCounts, captureList } from '../data/capture-sources.ts';
import type { Capture } from '../data/capture-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { CountHistogram } from '../lists/count-histogram.tsx';
import { ListActions } from '../lists/list-actions.tsx';
import { ListTable } from '../lists/list-table.tsx';
import { SortedNotice } from '../lists/sorted-notice.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Page, Pager } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { queryOf, timeRangeOf } from '../time-range.ts';
import { offsetOf, useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { CaptureAgents } from './capture-agents.tsx';
import { captureColumns } from './capture-columns.tsx';
import { CaptureContent } from './capture-content.tsx';
import { CaptureToolbar } from './capture-toolbar.tsx';
import { captureFilterOf, captureSortOf, FIRST_CAPTURE_SORT } from './capture-filter.ts';

const LIST = 'captures';
const LIMIT = 50;

/** Exchanges with captured AI hosts, as redacted and sent by the devices. */
export function CapturesPage({ user }: { user: User }) {
  const filters = useFilters();
  if (!mayWrite(user)) return <AnalystsOnly />;
  const id = filters.get('capture');
  if (id) return <OneCapture id={id} />;
  const tab = filters.get('tab') === 'agents' ? 'agents' : 'exchanges';
  return (
    <Page title={t`Captures`}>
      <Tabs
        label={t`Captures and their agents`}
        tabs={tabs}
        current={tab}
        onChoose={(tab) => filters.set({ tab: tab === 'agents' ? tab : '' })}
      >
        {tab === 'agents' ? <CaptureAgents user={user} /> : <CaptureList filters={filters} />}
      </Tabs>
    </Page>
  );
}

const tabs = [
  { id: 'exchanges', name: t`Exchanges` },
  { id: 'agents', name: t`Agents` },
] as const;

const AnalystsOnly = () => (
  <Page title={t`Captures`}>
    <Empty title={t`Captures require the analyst role`}>
      <p>
        <Trans>
          Captures contain what people wrote. Ask an administrator for the analyst role.
        </Trans>
      </p>
    </Empty>
  </Page>
);

/** The page of a single capture, linked from its run. */
const OneCapture = ({ id }: { id: string }) => (
  <Page title={t`Capture`} parent={{ name: t`Captures`, to: '/captures' }}>
    <section className="card" aria-label={t`Capture`}>
      <CaptureContent id={id} />
    </section>
  </Page>
);

function CaptureList({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const [filter, sort, range] = [
    captureFilterOf(filters),
    captureSortOf(filters),
    timeRangeOf(filters),
  ];
  const reading = useQuery(captureList({ limit: LIMIT, offset, ...filter, ...sort }, range));
  const { data: counts } = useQuery(captureCounts(filter, range));
  const filtered = Object.keys({ ...filter, ...range }).length > 0;
  return (
    <>
      <CaptureToolbar
        filters={filters}
        controls={
          <ListActions
            list={LIST}
            columns={captureColumns}
            count={reading.data?.count}
            path={captureRoutes.exportCaptures.path}
            query={() => ({ ...filter, ...sort, ...queryOf(range, Date.now()) })}
          />
        }
      />
      <CountHistogram
        counts={counts}
        format={(count) => plural(count, { one: '# capture', other: '# captures' })}
        range={range}
        filters={filters}
      />
      <Loaded reading={reading}>
        {({ results, count, count_exact: exact, incomplete }) => (
          <>
            {incomplete && filter.search === undefined && <SortedNotice rows="captures" />}
            {incomplete && filter.search !== undefined && (
              <Notice tone="warn">
                <Trans>
                  Only the latest {formatCount(MAX_SEARCHED_CAPTURES)} captures of the other filters
                  were searched: narrow the time or another filter.
                </Trans>
              </Notice>
            )}
            {results.length === 0 && offset === 0 ? (
              <NoCaptures filtered={filtered} />
            ) : (
              <>
                <ListTable
                  list={LIST}
                  label={t`Captures`}
                  columns={captureColumns}
                  rows={results}
                  rowKey={({ id }) => id}
                  filters={filters}
                  firstSort={FIRST_CAPTURE_SORT}
                  panel={panelOf}
                  stale={reading.stale}
                />
                <Pager
                  label={t`Pages of captures`}
                  {...{ offset, limit: LIMIT, count, exact }}
                  onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const panelOf = (id: string, capture: Capture | undefined) => ({
  title: capture ? `${capture.method} ${capture.host}` : t`Capture`,
  page: `/captures?capture=${encodeURIComponent(id)}`,
  content: <CaptureContent key={id} id={id} />,
});

function NoCaptures({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No capture matches these filters`} />;
  return (
    <Empty title={t`No captures yet`}>
      <p>
        <Trans>
          Nothing is decrypted until an administrator switches capture on for a host in{' '}
          <Link to="/guard">Guard</Link>. Devices redact captures before they send them.
        </Trans>
      </p>
    </Empty>
  );
}
