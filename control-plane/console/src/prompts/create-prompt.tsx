import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { configOf, emptyConfig } from './config-draft.ts';
import type { ConfigErrors } from './config-draft.ts';
import { ConfigField } from './config-field.tsx';
import { ContentField } from './content-field.tsx';
import { contentOf, withMessage } from './draft.ts';
import type { ContentDraft } from './draft.ts';
import { PromptNameField } from './prompt-name-field.tsx';

interface CreatePromptProps {
  onCreated: (id: string) => void;
  onClose: () => void;
}

const types = [
  { id: 'text', name: t`Text` },
  { id: 'chat', name: t`Chat` },
] as const;

export function CreatePrompt({ onCreated, onClose }: CreatePromptProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [draft, setDraft] = useState<ContentDraft>('');
  const [config, setConfig] = useState(emptyConfig);
  const [errors, setErrors] = useState<ConfigErrors>({});
  const [error, setError] = useState<string>();
  const type = typeof draft === 'string' ? 'text' : 'chat';
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = configOf(config);
    setErrors(read.errors ?? {});
    if (read.errors) return;
    try {
      const body = {
        name: name.trim(),
        description,
        prompt_type: type,
        content: contentOf(draft),
        config: read.config,
      } as const;
      onCreated((await api.prompts.createPrompt({ body })).id);
    } catch (caught) {
      setError(describeError(caught));
    }
  };
  return (
    <Dialog title={t`Create prompt`} onClose={onClose} wide>
      <form onSubmit={(event) => void submit(event)}>
        <PromptNameField name={name} onChange={setName} />
        <label>
          <Trans>Description</Trans>
          <input
            className="field"
            maxLength={10_000}
            autoComplete="off"
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </label>
        <Choice
          label={t`Type`}
          options={types}
          value={type}
          onChange={(type) => setDraft(type === 'text' ? '' : withMessage([]))}
        />
        <ContentField draft={draft} onChange={setDraft} />
        <ConfigField draft={config} errors={errors} models={[]} onChange={setConfig} />
        <DialogActions error={error} action={t`Create`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
