import { t } from '@lingui/core/macro';
import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { formatCount } from '../format.ts';
import { ChevronIcon } from '../icons.tsx';
import type { Find } from './use-find.ts';
import { MAX_MATCHES } from './find-ranges.ts';
import './find-bar.css';

interface FindBarProps {
  label: string;
  find: Find;
}

/**
 * Search field for recorded values. Enter or F3 goes to the next match, with Shift to the previous
 * one; Escape ends the search.
 */
export function FindBar({ label, find }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.target === field.current;
    if (event.key === 'Escape') find.close();
    else if (event.key === 'F3' || (event.key === 'Enter' && isField))
      find.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="find-bar" role="search" aria-label={t`Find in ${label}`} onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="search"
        className="field"
        aria-label={t`Text to find in ${label}`}
        placeholder={t`Find`}
        maxLength={1000}
        // The user opened the bar in order to type here.
        autoFocus
        value={find.text}
        onChange={(event) => find.type(event.target.value)}
      />
      <span className="find-count muted" role="status">
        {countOf(find)}
      </span>
      <button
        type="button"
        className="icon-button previous"
        aria-label={t`Previous match`}
        title={t`Previous match (Shift+Enter)`}
        disabled={find.count === 0}
        onClick={() => find.go(-1)}
      >
        <ChevronIcon />
      </button>
      <button
        type="button"
        className="icon-button next"
        aria-label={t`Next match`}
        title={t`Next match (Enter)`}
        disabled={find.count === 0}
        onClick={() => find.go(1)}
      >
        <ChevronIcon />
      </button>
    </div>
  );
}

function countOf({ text, count, current }: Find): string {
  if (text === '') return '';
  if (count === 0) return t`No match`;
  const all = count >= MAX_MATCHES ? `${formatCount(MAX_MATCHES)}+` : formatCount(count);
  return t`${formatCount(current + 1)} of ${all}`;
}
