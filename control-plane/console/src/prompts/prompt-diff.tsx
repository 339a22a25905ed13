import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ChatMessage, PromptContent } from '../data/prompt-sources.ts';
import { changeOf, TextChange } from '../diff/text-change.tsx';
import type { ChangedText } from '../diff/text-change.tsx';
import { pairItems } from '../diff/text-diff.ts';
import type { Config } from './config-draft.ts';
import './prompt-diff.css';

export interface PromptState {
  content: PromptContent;
  config: Config;
}

interface PromptDiffProps {
  before: PromptState;
  after: PromptState;
}

/**
 * Shows the differences between two versions: texts by line, messages one by one, and the config.
 */
export function PromptDiff({ before, after }: PromptDiffProps) {
  const config = configChanges(before.config, after.config);
  const content = contentChanges(before.content, after.content);
  if (config.length === 0 && content.every(({ kind }) => kind === 'same'))
    return (
      <p className="muted">
        <Trans>Content and config are the same.</Trans>
      </p>
    );
  return (
    <div className="prompt-diff">
      <h3>
        <Trans>Content</Trans>
      </h3>
      {content.every(({ kind }) => kind === 'same') ? (
        <p className="muted">
          <Trans>The same.</Trans>
        </p>
      ) : (
        content.map((change, at) => <TextChange key={at} change={change} />)
      )}
      <h3>
        <Trans>Config</Trans>
      </h3>
      {config.length === 0 ? (
        <p className="muted">
          <Trans>The same.</Trans>
        </p>
      ) : (
        config.map((change) => <TextChange key={change.title} change={change} />)
      )}
    </div>
  );
}

function contentChanges(before: PromptContent, after: PromptContent): ChangedText[] {
  if (typeof before === 'string' || typeof after === 'string')
    return [changeOf(t`Text`, textOf(before), textOf(after))];
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

function configChanges(before: Config, after: Config): ChangedText[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const valueOf = (config: Config, name: string) =>
    name in config ? JSON.stringify(config[name], null, 2) : undefined;
  return names
    .map((name) => changeOf(name, valueOf(before, name), valueOf(after, name)))
    .filter(({ kind }) => kind !== 'same');
}
