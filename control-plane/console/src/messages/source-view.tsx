import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { parseJson } from './parse/json.ts';
import { printJson } from './parse/print-json.ts';
import { readConversation } from './parse/read-conversation.ts';
import type { Stream } from './parse/read-stream.ts';
import type { Source } from './source.ts';
import { StreamEvents } from './stream-events.tsx';
import { useStream } from './use-stream.ts';
import type { View } from './view-choice.ts';
import { MessageBubble } from './message-bubble.tsx';
import type { Conversation } from './parse/model.ts';
import { OtherFields } from './other-fields.tsx';
import './source-view.css';

interface ConversationViewProps {
  label: string;
  conversation: Conversation;
}

/** Messages as bubbles. A value without any is a JSON tree. */
export function ConversationView({ label, conversation }: ConversationViewProps) {
  const { messages, rest } = conversation;
  if (messages.length === 0) return <JsonTree label={label} value={rest ?? null} />;
  return (
    <>
      <ol className="bubbles">
        {messages.map((message, at) => (
          // The index is a stable key: recorded messages do not change.
          <MessageBubble key={at} message={message} />
        ))}
      </ol>
      <OtherFields fields={rest} />
    </>
  );
}

interface SourceViewProps {
  source: Source;
  view: View;
}

export function SourceView({ source, view }: SourceViewProps) {
  const { title, note, value } = source;
  const raw = useMemo(() => (typeof value === 'string' ? value : printJson(value)), [value]);
  return (
    <div className="source" role="group" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span className="source-note muted">{note}</span>
        {raw !== '' && <CopyButton text={raw} label={t`Copy ${title}`} />}
      </header>
      {raw === '' ? (
        <p className="muted">
          <Trans>No content</Trans>
        </p>
      ) : (
        <Content {...{ source, view, raw }} />
      )}
    </div>
  );
}

function Content({ source, view, raw }: SourceViewProps & { raw: string }) {
  const { title, value, role, isCut = false } = source;
  const read = useStream(value, isCut);
  const json = useMemo(
    () => (typeof value === 'string' ? (parseJson(value) ?? read?.cut) : value),
    [value, read],
  );
  const conversation = useMemo(
    () => readConversation(read?.stream?.joined ?? json ?? value, role),
    [read, json, value, role],
  );
  if (view === 'raw') return <LongText text={raw} />;
  if (read === undefined)
    return (
      <p className="loading">
        <Trans>Loading…</Trans>
      </p>
    );
  if (view === 'json' && read.stream) return <JsonTree label={title} value={jsonOf(read.stream)} />;
  if (view === 'json' && json !== undefined) return <JsonTree label={title} value={json} />;
  return (
    <>
      <ConversationView label={title} conversation={conversation} />
      {read.cut && (
        <p className="muted">
          <Trans>The end of the body was not recorded.</Trans>
        </p>
      )}
      {read.stream && <StreamEvents events={read.stream.events} />}
    </>
  );
}

const jsonOf = ({ joined, events }: Stream) => ({ joined, events });
