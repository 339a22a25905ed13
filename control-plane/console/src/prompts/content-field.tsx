import { PlusIcon } from '../icons.tsx';
import { Text } from '../parts/text.tsx';
import { roles, withMessage } from './draft.ts';
import type { ContentDraft, MessageDraft } from './draft.ts';

interface ContentFieldProps {
  draft: ContentDraft;
  onChange: (draft: ContentDraft) => void;
}

/** Editor of a text prompt or of the messages of a chat prompt. */
export function ContentField({ draft, onChange }: ContentFieldProps) {
  if (typeof draft === 'string') return <TextField draft={draft} onChange={onChange} />;
  const put = (changed: MessageDraft) =>
    onChange(draft.map((one) => (one.key === changed.key ? changed : one)));
  const remove = ({ key }: MessageDraft) => onChange(draft.filter((one) => one.key !== key));
  return (
    <fieldset className="messages">
      <legend>Messages</legend>
      {draft.map((message, at) => (
        <MessageField
          key={message.key}
          number={at + 1}
          message={message}
          onChange={put}
          onRemove={draft.length > 1 ? remove : undefined}
        />
      ))}
      <button type="button" className="button" onClick={() => onChange(withMessage(draft))}>
        <PlusIcon />
        Add message
      </button>
    </fieldset>
  );
}

const TextField = ({ draft, onChange }: { draft: string; onChange: (text: string) => void }) => (
  <label>
    Content
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
}

function MessageField({ number, message, onChange, onRemove }: MessageFieldProps) {
  const { role, text, original } = message;
  return (
    <div className="message">
      <div className="message-head">
        <select
          className="field"
          aria-label={`Role of message ${number}`}
          value={role}
          onChange={({ target }) =>
            onChange({ ...message, role: roles.find((one) => one === target.value) ?? role })
          }
        >
          {roles.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {onRemove && (
          <button type="button" className="link" onClick={() => onRemove(message)}>
            Remove
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
          aria-label={`Text of message ${number}`}
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
