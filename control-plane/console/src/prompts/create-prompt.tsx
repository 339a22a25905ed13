import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { ContentField } from './content-field.tsx';
import { contentOf, withMessage } from './draft.ts';
import type { ContentDraft } from './draft.ts';

interface CreatePromptProps {
  onCreated: (id: string) => void;
  onClose: () => void;
}

const types = [
  { id: 'text', name: 'Text' },
  { id: 'chat', name: 'Chat' },
] as const;

export function CreatePrompt({ onCreated, onClose }: CreatePromptProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [draft, setDraft] = useState<ContentDraft>('');
  const [error, setError] = useState<string>();
  const type = typeof draft === 'string' ? 'text' : 'chat';
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    try {
      const body = {
        name: name.trim(),
        description,
        prompt_type: type,
        content: contentOf(draft),
      } as const;
      onCreated((await api.prompts.createPrompt({ body })).id);
    } catch (cause) {
      setError(describeError(cause));
    }
  };
  return (
    <Dialog title="Create prompt" onClose={onClose} wide>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Name
          <input
            className="field"
            required
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label>
          Description
          <input
            className="field"
            maxLength={10_000}
            autoComplete="off"
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </label>
        <Choice
          label="Type"
          options={types}
          value={type}
          onChange={(type) => setDraft(type === 'text' ? '' : withMessage([]))}
        />
        <ContentField draft={draft} onChange={setDraft} />
        <DialogActions error={error} action="Create" onClose={onClose} />
      </form>
    </Dialog>
  );
}
