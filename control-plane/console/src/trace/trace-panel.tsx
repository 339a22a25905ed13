import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { formatCount, formatDuration, formatExact, formatMoney, NONE } from '../format.ts';
import { ChevronIcon, CloseIcon } from '../icons.tsx';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Badge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { useDrawerSidebar } from '../parts/use-narrow.ts';
import { markInvisible } from '../mark-invisible.ts';
import type { TraceNode } from '../runs/trace-tree.ts';
import { RecordContent } from './record-content.tsx';
import { phaseNames } from '../incidents/incident-reason.ts';
import { wordsOf } from './trace-kinds.tsx';
import type { TraceEntry } from './trace-entries.ts';
import './trace-panel.css';

interface TracePanelProps {
  /** Undefined if the URL names a record that is not in the trace. */
  entry: TraceEntry | undefined;
  /** Start of the trace, in milliseconds since 1970. */
  start: number | null;
  isPartial: boolean;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}

/** Panel with the details of one record, beside the tree or, in narrow windows, over it. */
export function TracePanel({ entry, start, isPartial, onStep, onClose }: TracePanelProps) {
  const folded = useDrawerSidebar();
  const ref = useRef<HTMLElement>(null);
  // The panel covers the tree, so the focus moves into it.
  useEffect(() => {
    if (folded) ref.current?.focus({ preventScroll: true });
  }, [folded]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <aside
      ref={ref}
      className="trace-panel"
      aria-label={t`Details of the record`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="trace-panel-head">
        {entry ? (
          <Title node={entry.node} />
        ) : (
          <h2>
            <Trans>Record</Trans>
          </h2>
        )}
        <button
          type="button"
          className="icon-button previous"
          aria-label={t`Previous record`}
          title={t`Previous record`}
          onClick={() => onStep(-1)}
        >
          <ChevronIcon />
        </button>
        <button
          type="button"
          className="icon-button next"
          aria-label={t`Next record`}
          title={t`Next record`}
          onClick={() => onStep(1)}
        >
          <ChevronIcon />
        </button>
        {entry && <CopyButton text={location.href} label={t`Copy link to this record`} />}
        <button
          type="button"
          className="icon-button"
          aria-label={t`Close details`}
          title={t`Close (Esc)`}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
      <div className="trace-panel-body" tabIndex={0} role="group" aria-label={t`Details`}>
        {entry ? (
          <Content key={entry.key} node={entry.node} start={start} agent={entry.agent} />
        ) : (
          <p className="muted">
            {isPartial ? t`Loading…` : t`There is no such record in this trace.`}
          </p>
        )}
      </div>
    </aside>
  );
}

function Title({ node: { item, failed } }: { node: TraceNode }) {
  const { Icon, name } = wordsOf(item);
  return (
    <>
      <span className={`kind ${item.kind}`} title={name}>
        <Icon />
      </span>
      <h2 className="clipped" title={markInvisible(item.name)}>
        <span className="hidden">{name}: </span>
        <Text>{item.name}</Text>
      </h2>
      {failed && (
        <Badge tone="bad">
          <Trans>Error</Trans>
        </Badge>
      )}
      {!failed && item.action !== undefined && <ActionBadge action={item.action} />}
    </>
  );
}

interface ContentProps {
  node: TraceNode;
  start: number | null;
  agent: string;
}

const Content = ({ node, start, agent }: ContentProps) => (
  <>
    <Facts facts={factsOf(node, start, agent)} />
    <RecordContent item={node.item} />
    {node.also && (
      <>
        <h3>
          <Trans>Failure</Trans>
        </h3>
        <RecordContent item={node.also} />
      </>
    )}
  </>
);

function factsOf({ item, isOrphan }: TraceNode, start: number | null, agent: string) {
  const facts: (readonly [string, ReactNode] | false)[] = [
    [t`Kind`, wordsOf(item).name + (item.span_kind ? `, ${item.span_kind}` : '')],
    item.kind !== 'run' && [t`Agent`, agent || NONE],
    [t`Started`, startOf(item.started_at, start)],
    // The details of an LLM call show these facts themselves.
    item.kind !== 'llm_call' && [
      t`Duration`,
      item.duration_ms === null ? NONE : formatDuration(item.duration_ms),
    ],
    item.started_at === null && [t`Recorded`, formatExact(Date.parse(item.recorded_at))],
    item.kind !== 'llm_call' && item.tokens !== undefined && [t`Tokens`, formatCount(item.tokens)],
    item.cost !== undefined && [t`Cost`, formatMoney(item.cost)],
    item.phase !== undefined && [t`Phase`, phaseNames[item.phase]],
    item.span_id !== null && [t`Span id`, item.span_id],
    item.parent_span_id !== null && [
      t`Parent span`,
      isOrphan ? t`${item.parent_span_id}, which was not recorded` : item.parent_span_id,
    ],
  ];
  return facts.filter((fact) => fact !== false);
}

function startOf(at: string | null, start: number | null): string {
  if (at === null) return t`not recorded`;
  const ms = Date.parse(at);
  const exact = formatExact(ms);
  if (start === null) return exact;
  const into = formatDuration(ms - start);
  return t`${exact}, ${into} into the trace`;
}
