import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import { promptVersion } from '../data/prompt-sources.ts';
import type { Prompt, PromptVersionDetail } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Loaded } from '../parts/notice.tsx';
import { configOf, draftOfConfig } from './config-draft.ts';
import type { ConfigErrors } from './config-draft.ts';
import { ConfigField } from './config-field.tsx';
import { ContentField } from './content-field.tsx';
import { contentOf, draftOf } from './draft.ts';
import { PromptDiff } from './prompt-diff.tsx';
import { VariableNames } from './variable-names.tsx';

interface CreateVersionProps {
  prompt: Prompt;
  /** Number of the version that the form starts from. */
  from: number;
  onCreated: () => void;
  onClose: () => void;
}

export function CreateVersion({ prompt, from, onCreated, onClose }: CreateVersionProps) {
  const reading = useQuery(promptVersion(prompt.id, from));
  return (
    <Dialog title={t`New version of ${prompt.name}`} onClose={onClose} wide>
      <Loaded reading={reading}>
        {(base) => <VersionForm base={base} onCreated={onCreated} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

interface VersionFormProps {
  base: PromptVersionDetail;
  onCreated: () => void;
  onClose: () => void;
}

function VersionForm({ base, onCreated, onClose }: VersionFormProps) {
  const [draft, setDraft] = useState(() => draftOf(base.content));
  const [config, setConfig] = useState(() => draftOfConfig(base.config));
  const [errors, setErrors] = useState<ConfigErrors>({});
  const [message, setMessage] = useState('');
  const [error, setError] = useState<string>();
  const content = contentOf(draft);
  const read = configOf(config);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setErrors(read.errors ?? {});
    if (read.errors) return;
    try {
      const body = { content, config: read.config, replace_config: true, commit_message: message };
      await api.prompts.createPromptVersion({ params: { prompt_id: base.prompt_id }, body });
      onCreated();
      onClose();
    } catch (caught) {
      setError(describeError(caught));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <ContentField draft={draft} onChange={setDraft} />
      <VariableNames content={content} />
      <ConfigField draft={config} errors={errors} models={[]} onChange={setConfig} />
      <details>
        <summary>
          <Trans>Changes from v{base.version}</Trans>
        </summary>
        {!read.errors && <PromptDiff before={base} after={{ content, config: read.config }} />}
      </details>
      <label>
        <Trans>Commit message</Trans>
        <input
          className="field"
          maxLength={2000}
          autoComplete="off"
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
      </label>
      <DialogActions error={error} action={t`Save version`} onClose={onClose} />
    </form>
  );
}
