import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState, useCallback } from 'react';
import type { RefCallback } from 'react';
import type { LoadedList } from '../data/load-pages.ts';
import type { CatalogHost } from '../data/guard-sources.ts';
import type { Flow } from '../data/flow-sources.ts';
import type { QueryResult } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { ArrowUpIcon } from '../icons.tsx';
import { SortedNotice } from '../lists/sorted-notice.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import type { Filters } from '../use-filters.ts';
import { FlowTable } from './flow-table.tsx';
import { updateDisplayedFlows } from './displayed-flows.ts';
import type { DisplayedFlows } from './displayed-flows.ts';
import './live-flows.css';

interface LiveFlowsProps {
  reading: QueryResult<LoadedList<Flow>>;
  hosts: readonly CatalogHost[];
  ofOneDevice: boolean;
  filtered: boolean;
  filters: Filters;
  /** Whether the list is sorted newest first, so that new flows move the other rows. */
  newestFirst: boolean;
  paused: boolean;
  onResume: () => void;
  /** Maximum number of flows to load. */
  limit: number;
  onMore: () => void;
}

/** Maximum number of flows in the list. Older flows are available from the API. */
const MAX_FLOWS = 1000;

/**
 * The live list of flows. New rows are held back while the user has paused the list or scrolled
 * down.
 */
export function LiveFlows(props: LiveFlowsProps) {
  const { reading, newestFirst, onResume, limit, onMore } = props;
  const { watch, isInView } = useInView();
  const { rows, waiting } = useDisplayedFlows(props, !isInView);
  const showNew = () => {
    onResume();
    window.scrollTo({ top: 0 });
  };
  return (
    <Loaded reading={reading}>
      {({ count, count_exact = true, incomplete }) => (
        <>
          {incomplete && <SortedNotice rows="flows" />}
          <div ref={watch} />
          <NewFlows waiting={waiting} onShow={showNew} />
          {rows.length === 0 ? (
            <NoFlows filtered={props.filtered} />
          ) : (
            <FlowTable
              flows={rows}
              hosts={props.hosts}
              ofOneDevice={props.ofOneDevice}
              filters={props.filters}
              stale={reading.stale}
            />
          )}
          <More
            label={newestFirst ? t`Show older` : t`Show more`}
            shown={rows.length}
            count={count}
            exact={count_exact}
            limit={limit}
            onMore={onMore}
          />
        </>
      )}
    </Loaded>
  );
}

interface Held {
  rows: readonly Flow[];
  /** The limit of the request at the time when the rows were held. */
  limit: number;
}

function useDisplayedFlows(
  { reading, paused, newestFirst, limit }: LiveFlowsProps,
  scrolled: boolean,
): DisplayedFlows {
  const [held, setHeld] = useState<Held>();
  const latest = reading.data?.results ?? [];
  const hold = (paused || (newestFirst && scrolled)) && latest.length > 0;
  if (hold && !held && !reading.stale) setHeld({ rows: latest, limit });
  if (!hold && held) setHeld(undefined);
  if (!hold || !held) return { rows: latest, waiting: 0 };
  const more = newestFirst ? undefined : limit - held.limit;
  return updateDisplayedFlows(held.rows, latest, { update: !paused, more });
}

/** Button that shows the new flows. It takes no space in the layout, so the rows do not move. */
function NewFlows({ waiting, onShow }: { waiting: number; onShow: () => void }) {
  return (
    <div className="new-flows">
      {waiting > 0 && (
        <button type="button" className="button primary" onClick={onShow}>
          <ArrowUpIcon />
          {plural(waiting, { one: '# new flow', other: '# new flows' })}
        </button>
      )}
    </div>
  );
}

interface MoreProps {
  label: string;
  shown: number;
  count: number;
  exact: boolean;
  limit: number;
  onMore: () => void;
}

function More({ label, shown, count, exact, limit, onMore }: MoreProps) {
  if (shown === 0) return null;
  const [ofThem, all] = [formatCount(shown), formatCount(Math.max(count, shown))];
  return (
    <div className="pager">
      <span>{exact ? t`${ofThem} of ${all}` : t`${ofThem} of more than ${all}`}</span>
      {shown < count && limit < MAX_FLOWS && (
        <button type="button" className="button" onClick={onMore}>
          {label}
        </button>
      )}
    </div>
  );
}

function NoFlows({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No flow matches these filters`} />;
  return (
    <Empty title={t`No flows yet`}>
      <p>
        <Trans>Connections appear here within seconds of a device reporting them.</Trans>
      </p>
    </Empty>
  );
}

interface InView {
  /** Ref for the element. */
  watch: RefCallback<HTMLElement>;
  /** Whether the element is inside the viewport or below it. True until the browser reports it. */
  isInView: boolean;
}

/** Reports whether the user has scrolled past an element. */
function useInView(): InView {
  const [isInView, setInSight] = useState(true);
  const watch = useCallback<RefCallback<HTMLElement>>((element) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (last) setInSight(last.isIntersecting || last.boundingClientRect.top > 0);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { watch, isInView };
}
