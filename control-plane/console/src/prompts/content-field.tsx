import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { ArrowDownIcon, ArrowUpIcon, PlusIcon } from '../icons.tsx';
import { Text } from '../parts/text.tsx';
import { roles, withMessage, withMoved } from './draft.ts';
import type { ContentDraft, MessageDraft } from './draft.ts';
import './content-field.css';

interface ContentFieldProps {
  draft: ContentDraft;
  onChange: (draft: ContentDraft) => void;
}

/** Editor for a text prompt or for the messages of a chat prompt. */
export function ContentField({ draft, onChange }: ContentFieldProps) {
  if (typeof draft === 'string') return <TextField draft={draft} onChange={onChange} />;
  const put = (changed: MessageDraft) =>
    onChange(draft.map((one) => (one.key === changed.key ? changed : one)));
  const remove = ({ key }: MessageDraft) => onChange(draft.filter((one) => one.key !== key));
  return (
    <fieldset className="messages">
      <legend>
        <Trans>Messages</Trans>
      </legend>
      {draft.map((message, at) => (
        <MessageField
          key={message.key}
          number={at + 1}
          message={message}
          onChange={put}
          onRemove={draft.length > 1 ? remove : undefined}
          onMove={(by) => onChange(withMoved(draft, message.key, by))}
          count={draft.length}
        />
      ))}
      <button type="button" className="button" onClick={() => onChange(withMessage(draft))}>
        <PlusIcon />
        <Trans>Add message</Trans>
      </button>
    </fieldset>
  );
}

const TextField = ({ draft, onChange }: { draft: string; onChange: (text: string) => void }) => (
  <label>
    <Trans>Content</Trans>
    <textarea
      className="field mono"
      rows={10}
      required
      maxLength={1_000_000}
      value={draft}
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
);

interface MessageFieldProps {
  number: number;
  message: MessageDraft;
  onChange: (message: MessageDraft) => void;
  onRemove: ((message: MessageDraft) => void) | undefined;
  onMove: (by: -1 | 1) => void;
  /** Number of messages. */
  count: number;
}

const directions: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 };

function MessageField(props: MessageFieldProps) {
  const { number, message, onChange, onRemove, onMove, count } = props;
  const { role, text, original } = message;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = directions[event.key];
    if (!by || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onMove(by);
  };
  return (
    <div className="message" role="group" aria-label={t`Message ${number}`} onKeyDown={onKeyDown}>
      <div className="message-head">
        <select
          className="field"
          aria-label={t`Role of message ${number}`}
          value={role}
          onChange={({ target }) =>
            onChange({ ...message, role: roles.find((one) => one === target.value) ?? role })
          }
        >
          {roles.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {count > 1 && (
          <>
            <MoveButton up number={number} isAtEnd={number === 1} onMove={onMove} />
            <MoveButton number={number} isAtEnd={number === count} onMove={onMove} />
          </>
        )}
        {onRemove && (
          <button
            type="button"
            className="link"
            aria-label={t`Remove message ${number}`}
            onClick={() => onRemove(message)}
          >
            <Trans>Remove</Trans>
          </button>
        )}
      </div>
      {typeof original?.content === 'object' ? (
        <p className="preview mono">
          <Text>{JSON.stringify(original.content, null, 2)}</Text>
        </p>
      ) : (
        <textarea
          className="field mono"
          aria-label={t`Text of message ${number}`}
          rows={4}
          required
          maxLength={1_000_000}
          value={text}
          onChange={({ target }) => onChange({ ...message, text: target.value })}
        />
      )}
    </div>
  );
}

interface MoveButtonProps {
  up?: boolean;
  number: number;
  /**
   * Whether the message is at the end. The button stays focusable there, because it may just have
   * moved the message.
   */
  isAtEnd: boolean;
  onMove: (by: -1 | 1) => void;
}

const MoveButton = ({ up = false, number, isAtEnd, onMove }: MoveButtonProps) => (
  <button
    type="button"
    className="icon-button"
    aria-label={up ? t`Move message ${number} up` : t`Move message ${number} down`}
    title={up ? t`Move up (Alt+↑)` : t`Move down (Alt+↓)`}
    aria-disabled={isAtEnd}
    onClick={() => onMove(up ? -1 : 1)}
  >
    {up ? <ArrowUpIcon /> : <ArrowDownIcon />}
  </button>
);
