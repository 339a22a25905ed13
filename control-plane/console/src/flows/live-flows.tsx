import { useState } from 'react';
import type { Many } from '../data/many.ts';
import type { CatalogHost, Flow } from '../data/sources.ts';
import type { Reading } from '../data/use-query.ts';
import { formatCount, formatMany } from '../format.ts';
import { ArrowUpIcon } from '../icons.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { FlowTable } from './flow-table.tsx';
import { holdFlows } from './held-flows.ts';
import type { HeldFlows } from './held-flows.ts';
import { useInSight } from './use-in-sight.ts';

interface LiveFlowsProps {
  reading: Reading<Many<Flow>>;
  hosts: readonly CatalogHost[];
  ofOneDevice: boolean;
  filtered: boolean;
  paused: boolean;
  onResume: () => void;
  /** How many flows are read at most. */
  most: number;
  onMore: () => void;
}

/** Further back is a question for the API rather than for a list that moves. */
const mostFlows = 1000;

/** New rows wait while the reader has paused or scrolled down. */
export function LiveFlows(props: LiveFlowsProps) {
  const { reading, paused, onResume, most, onMore } = props;
  const { watch, inSight } = useInSight();
  const { rows, waiting } = useHeldFlows(reading, paused, !inSight);
  const showNew = () => {
    onResume();
    window.scrollTo({ top: 0 });
  };
  return (
    <Loaded reading={reading}>
      {({ count, count_exact = true }) => (
        <>
          <div ref={watch} />
          <NewFlows waiting={waiting} onShow={showNew} />
          {rows.length === 0 ? (
            <NoFlows filtered={props.filtered} />
          ) : (
            <FlowTable flows={rows} {...props} stale={reading.stale} />
          )}
          <Older
            shown={rows.length}
            count={count}
            exact={count_exact}
            most={most}
            onMore={onMore}
          />
        </>
      )}
    </Loaded>
  );
}

function useHeldFlows(reading: Reading<Many<Flow>>, paused: boolean, away: boolean): HeldFlows {
  const [held, setHeld] = useState<readonly Flow[]>();
  const latest = reading.data?.results ?? [];
  const hold = (paused || away) && latest.length > 0;
  if (hold && !held && !reading.stale) setHeld(latest);
  if (!hold && held) setHeld(undefined);
  return hold && held ? holdFlows(held, latest, !paused) : { rows: latest, waiting: 0 };
}

/** Takes no room in the page, so that its coming and going moves nothing. */
function NewFlows({ waiting, onShow }: { waiting: number; onShow: () => void }) {
  return (
    <div className="new-flows">
      {waiting > 0 && (
        <button type="button" className="button primary" onClick={onShow}>
          <ArrowUpIcon />
          {formatMany(waiting, 'new flow')}
        </button>
      )}
    </div>
  );
}

interface OlderProps {
  shown: number;
  count: number;
  exact: boolean;
  most: number;
  onMore: () => void;
}

function Older({ shown, count, exact, most, onMore }: OlderProps) {
  if (shown === 0) return null;
  return (
    <div className="pager">
      <span>
        {formatCount(shown)} of {exact ? '' : 'more than '}
        {formatCount(Math.max(count, shown))}
      </span>
      {shown < count && most < mostFlows && (
        <button type="button" className="button" onClick={onMore}>
          Show older
        </button>
      )}
    </div>
  );
}

function NoFlows({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No flow matches these filters" />;
  return (
    <Empty title="No flow yet">
      <p>Connections appear here within seconds of a device reporting them.</p>
    </Empty>
  );
}
