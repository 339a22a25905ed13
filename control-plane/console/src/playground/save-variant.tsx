import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { promptDetail, promptList, promptVersion } from '../data/prompt-sources.ts';
import type { PromptSummary } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { configOf } from '../prompts/config-draft.ts';
import { contentOf } from '../prompts/draft.ts';
import { PromptDiff } from '../prompts/prompt-diff.tsx';
import type { PromptState } from '../prompts/prompt-diff.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { contentFor } from './playground-state.ts';
import type { Origin, Variant } from './playground-state.ts';
import { PromptNameField } from '../prompts/prompt-name-field.tsx';

interface SaveVariantProps {
  name: string;
  variant: Variant;
  onSaved: (origin: Origin) => void;
  onClose: () => void;
}

/** Dialog that saves a variant as the next version of a prompt or as a new prompt. */
export function SaveVariant({ name, variant, onSaved, onClose }: SaveVariantProps) {
  const prompts = useQuery(promptList());
  const { errors, config } = { config: undefined, errors: undefined, ...configOf(variant.config) };
  return (
    <Dialog title={t`Save ${name}`} onClose={onClose} wide>
      {errors || !config ? (
        <p className="form-error" role="alert">
          <Trans>Correct the settings first: {Object.values(errors ?? {}).join(' ')}</Trans>
        </p>
      ) : (
        <Loaded reading={prompts}>
          {(prompts) => (
            <SaveForm
              prompts={prompts.filter(({ archived_at }) => archived_at === null)}
              origin={variant.origin}
              saved={{ content: contentOf(variant.content), config }}
              onSaved={onSaved}
              onClose={onClose}
            />
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

interface SaveFormProps {
  prompts: readonly PromptSummary[];
  origin: Origin | null;
  saved: PromptState;
  onSaved: (origin: Origin) => void;
  onClose: () => void;
}

const NEW = '';

function SaveForm({ prompts, origin, saved, onSaved, onClose }: SaveFormProps) {
  const [target, setTarget] = useState(() => {
    const known = origin?.kind === 'version' ? origin.prompt_id : NEW;
    return prompts.some(({ id }) => id === known) ? known : NEW;
  });
  const [name, setName] = useState('');
  const [message, setMessage] = useState('');
  const { error, attempt } = useAttempt();
  const prompt = prompts.find(({ id }) => id === target);
  const type = typeof saved.content === 'string' ? 'text' : 'chat';
  const fitting = contentFor(prompt?.prompt_type ?? type, saved.content);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if ('error' in fitting) return;
    const state = { content: fitting.content, config: saved.config };
    const isSaved = await attempt(async () =>
      onSaved(
        prompt
          ? await saveVersion(prompt, state, message)
          : await savePrompt(name.trim(), type, state, message),
      ),
    );
    if (isSaved) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        <Trans>Save as</Trans>
        <select
          className="field"
          value={target}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        >
          <option value={NEW}>{t`A new prompt`}</option>
          {prompts.map(({ id, name, latest_version }) => (
            <option key={id} value={id}>
              {markInvisible(name)} v{latest_version + 1}
            </option>
          ))}
        </select>
      </label>
      {prompt ? (
        'error' in fitting ? (
          <p className="form-error" role="alert">
            {fitting.error}
          </p>
        ) : (
          <DiffToLatest
            key={prompt.id}
            prompt={prompt}
            after={{ content: fitting.content, config: saved.config }}
          />
        )
      ) : (
        <PromptNameField name={name} onChange={setName} />
      )}
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
      <DialogActions
        error={error}
        action={prompt ? t`Save version` : t`Create prompt`}
        onClose={onClose}
      />
    </form>
  );
}

async function saveVersion(
  { id, name }: PromptSummary,
  state: PromptState,
  commit_message: string,
): Promise<Origin> {
  const body = { ...state, replace_config: true, commit_message };
  const params = { prompt_id: id };
  const { version } = await api.prompts.createPromptVersion({ params, body });
  return { kind: 'version', prompt_id: id, name, version };
}

async function savePrompt(
  name: string,
  prompt_type: 'text' | 'chat',
  state: PromptState,
  message: string,
): Promise<Origin> {
  const body = { name, prompt_type, ...state, ...(message && { commit_message: message }) };
  const { id } = await api.prompts.createPrompt({ body });
  return { kind: 'version', prompt_id: id, name, version: 1 };
}

/**
 * Shows the differences to the latest version. Its number is reloaded, because it may have grown
 * since the list was loaded.
 */
function DiffToLatest({ prompt, after }: { prompt: PromptSummary; after: PromptState }) {
  const reading = useQuery(promptDetail(prompt.id));
  return (
    <Loaded reading={reading}>
      {({ latest_version }) => <DiffTo prompt={prompt} version={latest_version} after={after} />}
    </Loaded>
  );
}

interface DiffToProps {
  prompt: PromptSummary;
  version: number;
  after: PromptState;
}

function DiffTo({ prompt, version, after }: DiffToProps) {
  const reading = useQuery(promptVersion(prompt.id, version));
  return (
    <section className="save-diff" aria-label={t`Changes from v${version}`}>
      <h3>
        <Trans>Changes from v{version}</Trans>
      </h3>
      <Loaded reading={reading}>{(before) => <PromptDiff before={before} after={after} />}</Loaded>
    </section>
  );
}
