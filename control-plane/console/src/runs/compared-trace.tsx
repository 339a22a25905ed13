import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { KeyboardEvent } from 'react';
import { formatDuration, formatMoneyInShort, NONE } from '../format.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Section } from '../parts/section.tsx';
import { keyOf } from '../trace/trace-entries.ts';
import { wordsOf } from '../trace/trace-kinds.tsx';
import { ROW_HEIGHT, useVirtualRows } from '../trace/use-virtual-rows.ts';
import type { Filters } from '../use-filters.ts';
import { markInvisible } from '../mark-invisible.ts';
import { alignTraces, differentRows, differs } from './align-traces.ts';
import type { AlignedRow } from './align-traces.ts';
import { ComparedRecord } from './compared-record.tsx';
import type { TraceNode } from './trace-tree.ts';
import './compared-trace.css';

const MAX_INDENT = 12;
const INDENT = 14;

interface ComparedTraceProps {
  left: readonly TraceNode[];
  right: readonly TraceNode[];
  /** Kind of the record that is compared before the user chooses one. */
  firstKind: 'run' | 'llm_call';
  filters: Filters;
}

/** Shows two traces side by side, with the texts of the chosen record in both. */
export function ComparedTrace({ left, right, firstKind, filters }: ComparedTraceProps) {
  const all = useMemo(() => alignTraces(left, right), [left, right]);
  const onlyDifferent = filters.get('only') === 'different';
  const rows = useMemo(() => (onlyDifferent ? differentRows(all) : all), [all, onlyDifferent]);
  const differing = useMemo(() => all.filter(differs).length, [all]);
  const wanted = filters.get('record');
  const isFirst = ({ left, right }: AlignedRow) => (left ?? right)?.item.kind === firstKind;
  const chosen = all.find((row) => rowKey(row) === wanted) ?? all.find(isFirst) ?? all[0];
  return (
    <>
      <Section
        title={t`Traces`}
        count={plural(differing, { one: '# difference', other: '# differences' })}
      >
        <label className="only-different">
          <input
            type="checkbox"
            checked={onlyDifferent}
            onChange={({ target }) => filters.set({ only: target.checked ? 'different' : '' })}
          />
          <Trans>Only records that differ</Trans>
        </label>
        {rows.length === 0 ? (
          <p className="muted">
            <Trans>No record differs in its name, outcome or verdict.</Trans>
          </p>
        ) : (
          <AlignedGrid
            rows={rows}
            chosen={chosen && rowKey(chosen)}
            onChoose={(key, replace) => filters.set({ record: key }, { replace })}
          />
        )}
      </Section>
      {chosen && (
        <Section title={t`Inputs and outputs`}>
          <p className="muted compared-name">
            <Clipped text={nameOf(chosen)} />
          </p>
          <ComparedRecord key={rowKey(chosen)} row={chosen} />
        </Section>
      )}
    </>
  );
}

/** Key of a row, used in the URL: the records of both runs. */
const rowKey = ({ left, right }: AlignedRow): string =>
  [left, right].map((node) => (node ? keyOf(node.item) : '')).join('~');

function nameOf({ left, right }: AlignedRow): string {
  const names = [left, right].flatMap((node) => (node ? [node.item.name] : []));
  const [first = '', second = first] = names;
  return first === second ? first : t`${first} and ${second}`;
}

interface AlignedGridProps {
  rows: readonly AlignedRow[];
  chosen: string | undefined;
  onChoose: (key: string, replace: boolean) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The rows of both traces. Only visible rows are rendered. */
function AlignedGrid({ rows, chosen, onChoose }: AlignedGridProps) {
  const { ref, first, end, reveal } = useVirtualRows(rows.length);
  const active = rows.findIndex((row) => rowKey(row) === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = Math.min(Math.max(active + step, 0), rows.length - 1);
    const row = rows[index];
    if (!row) return;
    event.preventDefault();
    reveal(index);
    onChoose(rowKey(row), true);
  };
  return (
    <div
      ref={ref}
      className="aligned-grid"
      role="grid"
      aria-label={t`Records of both runs`}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={active >= first && active < end ? `row-${chosen}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="aligned-rows" style={{ height: (rows.length + 1) * ROW_HEIGHT }}>
        <div role="row" className="aligned-head" aria-rowindex={1}>
          <div role="columnheader">
            <Trans>Run A</Trans>
          </div>
          <div role="columnheader">
            <Trans>Run B</Trans>
          </div>
        </div>
        {rows.slice(first, end).map((row, at) => {
          const key = rowKey(row);
          return (
            <div
              key={key}
              id={`row-${key}`}
              role="row"
              className={differs(row) ? 'aligned-row different' : 'aligned-row'}
              aria-rowindex={first + at + 2}
              aria-selected={key === chosen}
              style={{ top: (first + at + 1) * ROW_HEIGHT }}
              onClick={() => onChoose(key, false)}
            >
              <Cell node={row.left} depth={row.depth} />
              <Cell node={row.right} depth={row.depth} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Cell({ node, depth }: { node: TraceNode | undefined; depth: number }) {
  if (!node)
    return (
      <div role="gridcell" className="absent">
        <span className="hidden">
          <Trans>Not in this run</Trans>
        </span>
      </div>
    );
  const { item, failed } = node;
  const { Icon, name } = wordsOf(item);
  return (
    <div role="gridcell">
      <span style={{ width: Math.min(depth, MAX_INDENT) * INDENT }} className="indent" />
      <span className={`kind ${item.kind}`} title={name}>
        <Icon />
      </span>
      <span className="clipped" title={markInvisible(item.name)}>
        <span className="hidden">{name}: </span>
        {markInvisible(item.name)}
      </span>
      {failed && (
        <Badge tone="bad">
          <Trans>Error</Trans>
        </Badge>
      )}
      {!failed && item.action !== undefined && <ActionBadge action={item.action} />}
      <span className="aligned-number duration">
        {item.duration_ms === null ? NONE : formatDuration(item.duration_ms)}
      </span>
      <span className="aligned-number cost">
        {item.cost === undefined ? '' : formatMoneyInShort(item.cost)}
      </span>
    </div>
  );
}
