import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { markInvisible } from '../mark-invisible.ts';
import { diffTexts, foldLines } from './text-diff.ts';
import type { DiffLine } from './text-diff.ts';
import './text-change.css';

/** A titled text in two states. */
export interface ChangedText {
  title: string;
  kind: 'same' | 'changed' | 'added' | 'removed';
  before: string;
  after: string;
}

/** Classifies the change of a text. A text that is undefined in one state was added or removed. */
export function changeOf(
  title: string,
  before: string | undefined,
  after: string | undefined,
  sameTitle = true,
): ChangedText {
  const same = before === after && sameTitle;
  const kind =
    before === undefined ? 'added' : after === undefined ? 'removed' : same ? 'same' : 'changed';
  return { title, kind, before: before ?? '', after: after ?? '' };
}

const kindNames = {
  same: t`unchanged`,
  changed: t`changed`,
  added: t`added`,
  removed: t`removed`,
};

interface TextChangeProps {
  change: ChangedText;
  /** Names of the kinds; by default `added`, `removed` and so on. */
  names?: Record<ChangedText['kind'], string>;
}

/** Shows a diff by line with the changed words highlighted. Long unchanged parts are collapsed. */
export function TextChange({ change, names = kindNames }: TextChangeProps) {
  const { title, kind, before, after } = change;
  const lines =
    kind === 'added' || kind === 'removed'
      ? (kind === 'added' ? after : before)
          .split('\n')
          .map((text): DiffLine => ({ kind, parts: [{ text, changed: false }] }))
      : diffTexts(before, after);
  return (
    <figure className="diff-block">
      <figcaption>
        <bdi className="mono">{markInvisible(title)}</bdi>{' '}
        <span className="muted">{names[kind]}</span>
      </figcaption>
      <div className="diff-lines" role="group" aria-label={`${title}, ${names[kind]}`} tabIndex={0}>
        {foldLines(lines).map((row) =>
          'folded' in row ? (
            <Folded key={row.key} lines={row.folded} />
          ) : (
            <Line key={row.key} line={row.line} />
          ),
        )}
      </div>
    </figure>
  );
}

function Folded({ lines }: { lines: readonly DiffLine[] }) {
  const [opened, setOpened] = useState(false);
  if (opened) return lines.map((line, at) => <Line key={at} line={line} />);
  return (
    <button type="button" className="link diff-folded" onClick={() => setOpened(true)}>
      {plural(lines.length, { one: '# unchanged line', other: '# unchanged lines' })}
    </button>
  );
}

const signs = { same: ' ', removed: '−', added: '+' };
const spoken = { same: '', removed: `${t`Removed:`} `, added: `${t`Added:`} ` };

const Line = ({ line: { kind, parts } }: { line: DiffLine }) => (
  <div className={`diff-line ${kind}`}>
    <span className="diff-sign" aria-hidden="true">
      {signs[kind]}
    </span>
    <bdi data-content>
      <span className="hidden">{spoken[kind]}</span>
      {parts.map(({ text, changed }, at) =>
        changed ? <mark key={at}>{markInvisible(text)}</mark> : markInvisible(text),
      )}
    </bdi>
  </div>
);
