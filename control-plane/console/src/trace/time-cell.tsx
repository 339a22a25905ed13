import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDuration } from '../format.ts';
import type { TraceNode } from '../runs/trace-tree.ts';
import { markOf } from './time-axis.ts';
import type { TimeAxis } from './time-axis.ts';
import './time-cell.css';

export const percent = (part: number): string => `${(part * 100).toFixed(4)}%`;

/** A record in the waterfall: a bar, or a mark for a record without a duration. */
export function TimeBar({ node, axis }: { node: TraceNode; axis: TimeAxis | null }) {
  const mark = markOf(node, axis);
  if (mark.kind === 'none') return <NoTimes text={mark.text} />;
  if (mark.kind === 'outside') return <Outside side={mark.side} />;
  const kind = `${node.item.kind}${node.failed ? ' failed' : ''}`;
  const said = <span className="hidden">{wordsFor(node, axis)}</span>;
  if (mark.kind === 'moment')
    return (
      <>
        {said}
        <span className={`time-moment ${kind}`} style={{ left: percent(mark.from) }} />
      </>
    );
  const style = { left: percent(mark.from), width: percent(mark.length) };
  return (
    <>
      {said}
      <span className={`time-bar ${kind}${mark.isRunning ? ' running' : ''}`} style={style}>
        {mark.firstToken !== null && (
          <span className="first-token" style={{ left: percent(mark.firstToken) }} />
        )}
      </span>
    </>
  );
}

/** Marks a record outside the visible time. */
const Outside = ({ side }: { side: 'before' | 'after' }) => (
  <span className={`time-outside ${side}`} title={t`${side} the time that is shown`}>
    <span aria-hidden="true">{side === 'before' ? '‹' : '›'}</span>
    <span className="hidden">
      <Trans>{side} the time that is shown</Trans>
    </span>
  </span>
);

/** Shows the text for records without times. The last word is hidden in narrow windows. */
function NoTimes({ text }: { text: string }) {
  const [, first, last] = /^(.*?)( recorded)?$/.exec(text) ?? [];
  return (
    <span className="no-times" title={text}>
      {first}
      {last && <span className="wide-only">{last}</span>}
    </span>
  );
}

/** Describes the position on the axis for assistive technology. */
export function wordsFor({ item, from }: TraceNode, axis: TimeAxis | null): string {
  if (from === null || axis === null) return '';
  const first = item.time_to_first_token_ms ?? null;
  const start = formatDuration(from - (axis.whole ?? axis).from);
  if (first === null) return t`after ${start}`;
  return t`after ${start}, first token after ${formatDuration(first)}`;
}
