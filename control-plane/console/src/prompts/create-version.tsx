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
import { ContentField } from './content-field.tsx';
import { contentOf, draftOf } from './draft.ts';

interface CreateVersionProps {
  prompt: Prompt;
  onCreated: () => void;
  onClose: () => void;
}

/** The form starts with the content of the latest version. */
export function CreateVersion({ prompt, onCreated, onClose }: CreateVersionProps) {
  const reading = useQuery(promptVersion(prompt.id, prompt.latest_version));
  return (
    <Dialog title={`New version of ${prompt.name}`} onClose={onClose} wide>
      <Loaded reading={reading}>
        {(latest) => <VersionForm latest={latest} onCreated={onCreated} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

interface VersionFormProps {
  latest: PromptVersionDetail;
  onCreated: () => void;
  onClose: () => void;
}

function VersionForm({ latest, onCreated, onClose }: VersionFormProps) {
  const [draft, setDraft] = useState(() => draftOf(latest.content));
  const [message, setMessage] = useState('');
  const [error, setError] = useState<string>();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    try {
      const body = { content: contentOf(draft), commit_message: message };
      await api.prompts.createPromptVersion({ params: { prompt_id: latest.prompt_id }, body });
      onCreated();
      onClose();
    } catch (cause) {
      setError(describeError(cause));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <ContentField draft={draft} onChange={setDraft} />
      <label>
        Commit message
        <input
          className="field"
          maxLength={2000}
          autoComplete="off"
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
      </label>
      <DialogActions error={error} action="Save version" onClose={onClose} />
    </form>
  );
}
