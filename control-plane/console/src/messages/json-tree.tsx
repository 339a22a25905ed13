import { Plural, Trans } from '@lingui/react/macro';
import { use, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { markInvisible } from '../mark-invisible.ts';
import { JsonRowView } from './json-row.tsx';
import { MatcherContext } from './matcher-context.ts';
import { isContainer, jsonRows, sizeOf } from './parse/json-rows.ts';
import type { JsonRow } from './parse/json-rows.ts';
import { objectsWithMatch } from './parse/text-search.ts';
import './json-tree.css';

/** Number of rows drawn at first and added by each click. */
const PAGE_SIZE = 200;
/** Number of rows drawn during a search, so that matching rows are visible. */
const MAX_FOUND = 2000;
/**
 * Maximum size of objects and lists that are open at first, by level. The outermost is always open.
 */
const openSizes = [Infinity, 30, 8];

interface JsonTreeProps {
  label: string;
  value: unknown;
  /** How many levels are open at first. */
  openLevels?: number;
}

/** JSON as a tree with collapsible rows. Only open rows are drawn, in batches on request. */
export function JsonTree({ label, value, openLevels = openSizes.length }: JsonTreeProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [limit, setLimit] = useState(PAGE_SIZE);
  const matcher = use(MatcherContext);
  const found = useMemo(() => matcher && objectsWithMatch(matcher, value), [matcher, value]);
  const isOpen = (row: { path: string; value: object; level: number }): boolean =>
    (found?.has(row.value) ?? false) ||
    (chosen.get(row.path) ??
      (row.level <= openLevels && sizeOf(row.value) <= (openSizes[row.level - 1] ?? 0)));
  const { rows, hasMore } = jsonRows(value, isOpen, found ? Math.max(limit, MAX_FOUND) : limit);
  const toggle = (path: string, open: boolean) => setChosen(new Map([...chosen, [path, open]]));
  const { current, onFocus, onKeyDown, tree } = useTreeKeys(rows, toggle);
  if (!isContainer(value))
    return (
      <div className="json-tree">
        <JsonRowView row={{ path: '', level: 1, name: null, value, open: undefined }} />
      </div>
    );
  return (
    <div className="json-tree">
      <ul ref={tree} role="tree" aria-label={markInvisible(label)} onKeyDown={onKeyDown}>
        {rows.map((row, at) => (
          <li
            key={row.path}
            role="treeitem"
            aria-level={row.level}
            aria-expanded={row.open}
            // Only one row is in the tab order; the arrow keys lead to the others.
            tabIndex={at === current ? 0 : -1}
            onFocus={() => onFocus(at)}
          >
            <JsonRowView row={row} onToggle={() => toggle(row.path, !row.open)} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="button" onClick={() => setLimit(limit + PAGE_SIZE * 5)}>
          <Trans>
            Show more than <Plural value={rows.length} one="# row" other="# rows" />
          </Trans>
        </button>
      )}
    </div>
  );
}

/**
 * Arrow keys of a tree: up and down move between rows, right opens, left closes or moves to the
 * parent.
 */
function useTreeKeys(rows: readonly JsonRow[], toggle: (path: string, open: boolean) => void) {
  const [focused, setFocused] = useState(0);
  const tree = useRef<HTMLUListElement>(null);
  const current = Math.min(focused, rows.length - 1);
  const focus = (at: number) => {
    const row = tree.current?.children[at];
    if (row instanceof HTMLElement) row.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    // Other keys belong to the button or text in the row that has the focus.
    if (!row || event.target !== tree.current?.children[current] || event.ctrlKey || event.metaKey)
      return;
    const act = actionOf(event.key, row, current, rows);
    if (act === undefined) return;
    event.preventDefault();
    if (typeof act === 'number') focus(act);
    else toggle(row.path, act);
  };
  return { current, onFocus: setFocused, onKeyDown, tree };
}

/** The action of a key: a row to move to, or opening or closing this row. */
function actionOf(
  key: string,
  { open, level }: JsonRow,
  at: number,
  rows: readonly JsonRow[],
): number | boolean | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, rows.length - 1);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return open === false ? true : open && at + 1;
    case 'ArrowLeft':
      return open
        ? false
        : Math.max(
            0,
            rows.findLastIndex((row, i) => i < at && row.level < level),
          );
    case 'Enter':
    case ' ':
      return open === undefined ? undefined : !open;
    default:
      return undefined;
  }
}
