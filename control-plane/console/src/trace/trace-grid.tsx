import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { zoomText } from './time-axis.ts';
import type { TimeAxis } from './time-axis.ts';
import { TimeRuler } from './time-ruler.tsx';
import { actionOfKey } from './trace-keys.ts';
import { rowId, TraceRow } from './trace-row.tsx';
import type { TraceView } from './use-trace-view.ts';
import { ROW_HEIGHT, useVirtualRows } from './use-virtual-rows.ts';
import type { TraceRow as Row } from './visible-rows.ts';
import './trace-grid.css';

interface TraceGridProps {
  view: TraceView;
  axis: TimeAxis | null;
}

/** The tree with its waterfall. Only visible rows are rendered. */
export function TraceGrid({ view, axis }: TraceGridProps) {
  const { rows, target, address } = view;
  const { ref, first, end, reveal } = useVirtualRows(rows.length);
  const indexes = useMemo(() => new Map(rows.map(({ at }, index) => [at, index])), [rows]);
  const active = indexes.get(view.active) ?? -1;
  const revealTarget = useEffectEvent((key: string) => {
    const index = rows.findIndex(({ entry }) => entry.key === key);
    if (index >= 0) reveal(index);
  });
  useEffect(() => revealTarget(target.key), [target]);
  const onKeyDown = (event: KeyboardEvent) => {
    // With Shift, an arrow key moves the time axis instead.
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const action = actionOfKey(event.key, rows, active);
    if (!action) return;
    event.preventDefault();
    if (action.kind === 'go') view.goToRow(action.row);
    else if (action.kind === 'toggle') view.toggle(action.row);
    else if (action.kind === 'open') view.open(action.row);
    else view.close();
  };
  const { onOpen, onToggle } = useStableCallbacks(view);
  return (
    <div
      ref={ref}
      className="trace-grid"
      role="treegrid"
      aria-label={t`Records`}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={active >= first && active < end ? idOf(rows[active]) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="trace-rows" style={{ height: (rows.length + 1) * ROW_HEIGHT }}>
        <div role="row" className="trace-head" aria-rowindex={1}>
          <div role="columnheader">
            <Trans>Record</Trans>
          </div>
          <div role="columnheader">
            <Trans>Duration</Trans>
          </div>
          <div role="columnheader" className="tokens">
            <Trans>Tokens</Trans>
          </div>
          <div role="columnheader" className="cost">
            <Trans>Cost</Trans>
          </div>
          <div role="columnheader" className="ruler">
            <span className="hidden">
              <Trans>Time</Trans>
            </span>
            {axis && (
              <TimeRuler axis={axis} onZoom={(zoom) => address.replace({ zoom: zoomText(zoom) })} />
            )}
          </div>
        </div>
        {rows.slice(first, end).map((row, at) => (
          <TraceRow
            key={row.entry.key}
            row={row}
            index={first + at}
            axis={axis}
            search={address.text}
            isFound={view.found.has(row.entry.key)}
            isActive={row.entry.key === target.key}
            isSelected={row.entry.key === address.selected}
            onOpen={onOpen}
            onToggle={onToggle}
          />
        ))}
      </div>
    </div>
  );
}

const idOf = (row: Row | undefined) => row && rowId(row.entry.key);

/** Returns the same functions in every render, so that scrolling does not render the rows again. */
function useStableCallbacks(view: TraceView) {
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });
  const onOpen = useCallback((row: Row) => latest.current.open(row), []);
  const onToggle = useCallback((row: Row) => latest.current.toggle(row), []);
  return { onOpen, onToggle };
}
