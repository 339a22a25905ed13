import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { SearchIcon } from '../icons.tsx';
import { Choice } from '../parts/choice.tsx';
import { FindBar } from './find-bar.tsx';
import { MatcherContext } from './matcher-context.ts';
import { parseJson } from './parse/json.ts';
import { SourceView } from './source-view.tsx';
import type { Source } from './source.ts';
import { useFind } from './use-find.ts';
import { useView } from './view-choice.ts';
import type { View } from './view-choice.ts';
import './viewer.css';

const viewNames: Record<View, string> = { formatted: t`Formatted`, json: 'JSON', raw: t`Raw` };

interface ViewerProps {
  label: string;
  sources: readonly Source[];
}

export function Viewer({ label, sources }: ViewerProps) {
  const [view, setView] = useView();
  const container = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const find = useFind(container, opener);
  const ids: View[] = sources.some(isJson) ? ['formatted', 'json', 'raw'] : ['formatted', 'raw'];
  const shown = ids.includes(view) ? view : 'formatted';
  // The browser's search finds only displayed text, so Ctrl+F opens this one. A second Ctrl+F, in
  // the field, opens the browser's.
  const onKeyDown = (event: KeyboardEvent) => {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey);
    if (!isFind || find.isOpen || event.shiftKey || event.altKey) return;
    event.preventDefault();
    find.open();
  };
  return (
    <div className="recorded" onKeyDown={onKeyDown}>
      <div className="recorded-bar">
        <Choice
          label={t`View of ${label}`}
          options={ids.map((id) => ({ id, name: viewNames[id] }))}
          value={shown}
          onChange={setView}
        />
        <span className="spacer" />
        {find.isOpen && <FindBar label={label} find={find} />}
        <button
          ref={opener}
          type="button"
          className="button"
          aria-label={t`Find in ${label}`}
          aria-expanded={find.isOpen}
          onClick={find.isOpen ? find.close : find.open}
        >
          <SearchIcon /> <Trans>Find</Trans>
        </button>
      </div>
      <MatcherContext value={find.matcher}>
        <div ref={container} className="recorded-sources">
          {sources.map((source) => (
            <SourceView key={source.title} source={source} view={shown} />
          ))}
        </div>
      </MatcherContext>
    </div>
  );
}

const isJson = ({ value, isCut = false }: Source): boolean =>
  typeof value === 'string' ? isCut || parseJson(value) !== undefined : value !== null;
