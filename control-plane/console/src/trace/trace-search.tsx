import { plural, t } from '@lingui/core/macro';
import type { KeyboardEvent } from 'react';
import { formatCount } from '../format.ts';
import { ChevronIcon } from '../icons.tsx';
import { SearchField } from '../parts/search-field.tsx';
import type { TraceView } from './use-trace-view.ts';
import './trace-search.css';

/** Search field for the trace. Enter goes to the next match, with Shift to the previous one. */
export function TraceSearch({ view }: { view: TraceView }) {
  const { matches, address } = view;
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, key, shiftKey } = event;
    if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
    // New text is submitted first, by the form.
    if (target.value !== address.text) return;
    event.preventDefault();
    view.goToMatch(shiftKey ? -1 : 1);
  };
  const step = (name: string, title: string, by: 1 | -1) => (
    <button
      type="button"
      className={by === 1 ? 'icon-button next' : 'icon-button previous'}
      aria-label={name}
      title={title}
      disabled={matches.length === 0}
      onClick={() => view.goToMatch(by)}
    >
      <ChevronIcon />
    </button>
  );
  return (
    <div className="trace-search" onKeyDown={onKeyDown}>
      <SearchField
        label={t`Search records`}
        hint={t`Searches names, models, and the texts: prompts, responses, inputs, outputs, attributes, errors, reasons`}
        value={address.text}
        onChange={(text) => view.search(text)}
      />
      {address.text !== '' && (
        <>
          <span className="muted" role="status">
            {countOf(view)}
          </span>
          {step(t`Previous match`, t`Previous match (Shift+Enter)`, -1)}
          {step(t`Next match`, t`Next match (Enter)`, 1)}
        </>
      )}
    </div>
  );
}

function countOf({ matches, active, isSearching }: TraceView): string {
  if (matches.length === 0) return isSearching ? t`Searching…` : t`No match`;
  const at = matches.indexOf(active);
  if (at < 0) return plural(matches.length, { one: '# match', other: '# matches' });
  const [number, all] = [formatCount(at + 1), formatCount(matches.length)];
  return t`${number} of ${all}`;
}
