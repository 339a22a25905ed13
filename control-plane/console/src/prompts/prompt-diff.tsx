import { useState } from 'react';
import type { ChatMessage, PromptContent } from '../data/prompt-sources.ts';
import { formatMany } from '../format.ts';
import { visible } from '../visible.ts';
import type { Config } from './config-draft.ts';
import { diffTexts, foldLines, pairItems } from './text-diff.ts';
import type { DiffLine } from './text-diff.ts';
import './prompt-diff.css';

export interface PromptState {
  content: PromptContent;
  config: Config;
}

interface PromptDiffProps {
  before: PromptState;
  after: PromptState;
}

/** What differs between two versions: texts line by line, message by message, and the config. */
export function PromptDiff({ before, after }: PromptDiffProps) {
  const config = configChanges(before.config, after.config);
  const content = contentChanges(before.content, after.content);
  if (config.length === 0 && content.every(({ kind }) => kind === 'same'))
    return <p className="muted">Content and config are the same.</p>;
  return (
    <div className="prompt-diff">
      <h3>Content</h3>
      {content.every(({ kind }) => kind === 'same') ? (
        <p className="muted">The same.</p>
      ) : (
        content.map((change, at) => <Change key={at} change={change} />)
      )}
      <h3>Config</h3>
      {config.length === 0 ? (
        <p className="muted">The same.</p>
      ) : (
        config.map((change) => <Change key={change.title} change={change} />)
      )}
    </div>
  );
}

interface ChangeOf {
  title: string;
  kind: 'same' | 'changed' | 'added' | 'removed';
  before: string;
  after: string;
}

function contentChanges(before: PromptContent, after: PromptContent): ChangeOf[] {
  if (typeof before === 'string' || typeof after === 'string')
    return [changeOf('Text', textOf(before), textOf(after))];
  const isSame = (a: ChatMessage, b: ChatMessage) => JSON.stringify(a) === JSON.stringify(b);
  return pairItems(before, after, isSame).map(([old, now]) => {
    const roles = [...new Set([old?.role, now?.role])].filter((role) => role !== undefined);
    return changeOf(
      roles.join(' → '),
      old === undefined ? undefined : messageText(old),
      now === undefined ? undefined : messageText(now),
      old?.role === now?.role,
    );
  });
}

const textOf = (content: PromptContent): string =>
  typeof content === 'string'
    ? content
    : content.map((message) => `${message.role}: ${messageText(message)}`).join('\n\n');

const messageText = ({ content, name }: ChatMessage): string => {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return name === undefined ? text : `(${name}) ${text}`;
};

function configChanges(before: Config, after: Config): ChangeOf[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const valueOf = (config: Config, name: string) =>
    name in config ? JSON.stringify(config[name], null, 2) : undefined;
  return names
    .map((name) => changeOf(name, valueOf(before, name), valueOf(after, name)))
    .filter(({ kind }) => kind !== 'same');
}

function changeOf(
  title: string,
  before: string | undefined,
  after: string | undefined,
  sameTitle = true,
): ChangeOf {
  const same = before === after && sameTitle;
  const kind =
    before === undefined ? 'added' : after === undefined ? 'removed' : same ? 'same' : 'changed';
  return { title, kind, before: before ?? '', after: after ?? '' };
}

const kindNames = { same: 'unchanged', changed: 'changed', added: 'added', removed: 'removed' };

function Change({ change: { title, kind, before, after } }: { change: ChangeOf }) {
  const lines =
    kind === 'added' || kind === 'removed'
      ? (kind === 'added' ? after : before)
          .split('\n')
          .map((text): DiffLine => ({ kind, parts: [{ text, changed: false }] }))
      : diffTexts(before, after);
  return (
    <figure className="diff-block">
      <figcaption>
        <bdi className="mono">{visible(title)}</bdi>{' '}
        <span className="muted">{kindNames[kind]}</span>
      </figcaption>
      <div
        className="diff-lines"
        role="group"
        aria-label={`${title}, ${kindNames[kind]}`}
        tabIndex={0}
      >
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
      {formatMany(lines.length, 'unchanged line')}
    </button>
  );
}

const signs = { same: ' ', removed: '−', added: '+' };
const names = { same: '', removed: 'Removed: ', added: 'Added: ' };

const Line = ({ line: { kind, parts } }: { line: DiffLine }) => (
  <div className={`diff-line ${kind}`}>
    <span className="diff-sign" aria-hidden="true">
      {signs[kind]}
    </span>
    <bdi data-content>
      <span className="hidden">{names[kind]}</span>
      {parts.map(({ text, changed }, at) =>
        changed ? <mark key={at}>{visible(text)}</mark> : visible(text),
      )}
    </bdi>
  </div>
);
