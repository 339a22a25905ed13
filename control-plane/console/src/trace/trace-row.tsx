import { Trans } from '@lingui/react/macro';
import { memo } from 'react';
import type { MouseEvent } from 'react';
import { formatCountInShort, formatDuration, formatMoneyInShort, NONE } from '../format.ts';
import { ChevronIcon } from '../icons.tsx';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Badge } from '../parts/badge.tsx';
import { markInvisible } from '../mark-invisible.ts';
import type { TraceItem } from '../runs/trace-tree.ts';
import type { TimeAxis } from './time-axis.ts';
import { TimeBar } from './time-cell.tsx';
import { wordsOf } from './trace-kinds.tsx';
import { ROW_HEIGHT } from './use-virtual-rows.ts';
import type { TraceRow as Row } from './visible-rows.ts';
import './trace-row.css';

/**
 * Maximum indentation: deeper levels are aligned with each other, so that their names stay visible.
 */
const MAX_INDENT = 20;
const INDENT = 14;

export interface TraceRowProps {
  row: Row;
  /** Index counted from 0. */
  index: number;
  axis: TimeAxis | null;
  search: string;
  /** Whether the texts of the record contain the search text. */
  isFound: boolean;
  isActive: boolean;
  isSelected: boolean;
  onOpen: (row: Row) => void;
  onToggle: (row: Row) => void;
}

export const rowId = (key: string): string => `row-${key}`;

export const TraceRow = memo(function TraceRow(props: TraceRowProps) {
  const { row, index, axis, search, isFound, isActive, isSelected, onOpen, onToggle } = props;
  const { entry, isOpen, isContext } = row;
  const { node, depth } = entry;
  const { Icon, name: kindName } = wordsOf(node.item);
  const open = ({ target }: MouseEvent) =>
    target instanceof Element && target.closest('.twisty') ? onToggle(row) : onOpen(row);
  const classes = ['trace-row', isActive && 'active', isContext && 'context'].filter(Boolean);
  return (
    <div
      role="row"
      id={rowId(entry.key)}
      className={classes.join(' ')}
      style={{ top: (index + 1) * ROW_HEIGHT }}
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      onClick={open}
    >
      <div role="rowheader" className="trace-name" title={markInvisible(titleOf(node.item))}>
        <span className="guides" style={{ width: Math.min(depth, MAX_INDENT) * INDENT }} />
        {isOpen === undefined ? (
          <span className="twisty-room" />
        ) : (
          <span className={isOpen ? 'twisty turned' : 'twisty'} aria-hidden="true">
            <ChevronIcon />
          </span>
        )}
        <span className={`kind ${node.item.kind}`} title={kindName}>
          <Icon />
          <span className="hidden">{kindName}</span>
        </span>
        <span className="clipped">
          <Highlighted text={node.item.name} search={search} />
          <More item={node.item} search={search} />
          {isFound && (
            <mark className="in-texts">
              <Trans>in its texts</Trans>
            </mark>
          )}
        </span>
        <Mark item={node.item} failed={node.failed} />
      </div>
      <div role="gridcell" className="trace-number">
        {durationOf(node.item)}
      </div>
      <div role="gridcell" className="trace-number tokens">
        {node.item.tokens === undefined ? NONE : formatCountInShort(node.item.tokens)}
      </div>
      <div role="gridcell" className="trace-number cost">
        {node.item.cost === undefined ? NONE : formatMoneyInShort(node.item.cost)}
      </div>
      <div role="gridcell" className="trace-time">
        <span className="time-lane">
          <TimeBar node={node} axis={axis} />
        </span>
      </div>
    </div>
  );
});

const titleOf = ({ name, reason }: TraceItem): string => (reason ? `${name}: ${reason}` : name);

function More({ item, search }: { item: TraceItem; search: string }) {
  const more = item.reason ?? (item.span_kind === 'tool' ? undefined : item.span_kind);
  if (more === undefined || more === '') return null;
  return (
    <span className="more">
      <Highlighted text={more} search={search} />
    </span>
  );
}

function Mark({ item, failed }: { item: TraceItem; failed: boolean }) {
  if (failed)
    return (
      <Badge tone="bad">
        <Trans>Error</Trans>
      </Badge>
    );
  if (item.action !== undefined) return <ActionBadge action={item.action} />;
  return null;
}

function durationOf({ status, duration_ms }: TraceItem): string {
  if (status === 'running') return 'running';
  return duration_ms === null ? NONE : formatDuration(duration_ms);
}

/** Untrusted text in one line, with matches of the search highlighted. */
function Highlighted({ text, search }: { text: string; search: string }) {
  const at = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return <bdi>{markInvisible(text)}</bdi>;
  const end = at + search.length;
  return (
    <bdi>
      {markInvisible(text.slice(0, at))}
      <mark>{markInvisible(text.slice(at, end))}</mark>
      {markInvisible(text.slice(end))}
    </bdi>
  );
}
