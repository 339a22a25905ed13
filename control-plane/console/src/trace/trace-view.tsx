import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useMemo, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { MAX_RECORDS } from '../data/trace-sources.ts';
import { formatCount } from '../format.ts';
import { Loaded, Notice } from '../parts/notice.tsx';
import type { Run } from '../data/run-sources.ts';
import { AgentGraphView } from './agent-graph-view.tsx';
import { axisOf, zoomedAxis, zoomText } from './time-axis.ts';
import type { TimeAxis } from './time-axis.ts';
import { TraceGrid } from './trace-grid.tsx';
import { TracePanel } from './trace-panel.tsx';
import { TraceToolbar } from './trace-toolbar.tsx';
import { useTrace } from './use-trace.ts';
import type { Trace } from './use-trace.ts';
import { useTraceView } from './use-trace-view.ts';
import type { TraceView } from './use-trace-view.ts';
import { ROW_HEIGHT } from './use-virtual-rows.ts';
import { zoomOfKey } from './trace-keys.ts';
import './trace-view.css';

/**
 * The trace of a run: everything recorded on it and on the runs it started, as a tree with one time
 * axis.
 */
export function RunTrace({ run }: { run: Run }) {
  const reading = useTrace(String(run.id), run.status === 'running');
  return (
    <Loaded reading={reading}>
      {(trace) => <LoadedTrace trace={trace} runId={String(run.id)} />}
    </Loaded>
  );
}

function LoadedTrace({ trace, runId }: { trace: Trace; runId: string }) {
  const view = useTraceView(trace.entries, runId);
  const whole = useMemo(() => axisOf(trace.entries.map(({ node }) => node)), [trace.entries]);
  const { address } = view;
  const { from, to } = address.zoom ?? {};
  const axis = useMemo(
    () => zoomedAxis(whole, from === undefined || to === undefined ? undefined : { from, to }),
    [whole, from, to],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    if (target instanceof HTMLInputElement) return;
    const zoom = zoomOfKey(event, axis, trace.entries[view.active]?.node);
    if (zoom) address.replace({ zoom: zoomText(zoom.to) });
    else if (key.toLowerCase() === 'n') view.goToProblem(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <section className="trace" aria-label={t`Trace`} onKeyDown={onKeyDown}>
      <TraceToolbar view={view} entries={trace.entries} graph={trace.graph} axis={axis} />
      {address.isAgents && trace.graph.nodes.length > 1 ? (
        <AgentGraphView
          graph={trace.graph}
          onChoose={(agent) => address.push({ agent, view: '' })}
        />
      ) : (
        <Tree trace={trace} view={view} axis={axis} />
      )}
      <Remarks trace={trace} />
    </section>
  );
}

interface TreeProps {
  trace: Trace;
  view: TraceView;
  axis: TimeAxis | null;
}

function Tree({ trace: { tree, isPartial }, view, axis }: TreeProps) {
  const { address, rows } = view;
  const isOpen = address.selected !== '';
  const ref = useRef<HTMLDivElement>(null);
  // Scrolls the tree up: below the key figures of the run, half of the details would be outside the
  // window.
  useEffect(() => {
    if (isOpen) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const step = (by: 1 | -1) => {
    const index = rows.findIndex(({ at }) => at === view.active);
    view.goToRow(rows[index + by]);
  };
  if (rows.length === 0)
    return (
      <p className="muted trace-none">
        <Trans>No record matches the filters.</Trans>
      </p>
    );
  return (
    <div
      ref={ref}
      className={isOpen ? 'trace-split with-panel' : 'trace-split'}
      style={isOpen ? undefined : { height: (rows.length + 1) * ROW_HEIGHT + 2 }}
    >
      <TraceGrid view={view} axis={axis} />
      {isOpen && (
        <TracePanel
          entry={view.selected}
          start={tree.from}
          isPartial={isPartial}
          onStep={step}
          onClose={view.close}
        />
      )}
    </div>
  );
}

/** Notes about records that the tree omits or could not place. */
function Remarks({ trace: { tree, isPartial, isCut, runsLeftOut } }: { trace: Trace }) {
  const remarks = [
    isPartial
      ? t`Loading more records…`
      : plural(tree.size, { one: '# record', other: '# records' }),
    ...(tree.untimed > 0 ? [t`${formatCount(tree.untimed)} without a start`] : []),
    ...(tree.orphans > 0 && !isPartial
      ? [t`${formatCount(tree.orphans)} whose parent was not recorded`]
      : []),
  ];
  return (
    <>
      <p className="muted trace-remarks" role="status">
        {remarks.join(' · ')}
      </p>
      {isCut && (
        <Notice tone="warn">
          <Trans>
            This trace has more records than the {formatCount(MAX_RECORDS)} that are shown here.
          </Trans>
        </Notice>
      )}
      {runsLeftOut && (
        <Notice tone="warn">
          <Trans>More runs were started inside this one than are shown here.</Trans>
        </Notice>
      )}
    </>
  );
}
