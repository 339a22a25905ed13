import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import type { Prompt, PromptMetrics } from '../data/prompt-sources.ts';
import { closePopover, Popover } from '../parts/popover.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { pathTo } from '../path-id.ts';
import { PromptNameField } from './prompt-name-field.tsx';

interface PromptActionsProps {
  prompt: Prompt;
  metrics: PromptMetrics | undefined;
  onChanged: () => Promise<void>;
}

type Action = 'rename' | 'duplicate' | 'archive' | 'restore' | 'delete';

const names: Record<Action, string> = {
  rename: t`Rename…`,
  duplicate: t`Duplicate…`,
  archive: t`Archive…`,
  restore: t`Restore…`,
  delete: t`Delete…`,
};

/** The available actions. A prompt that agents use cannot be deleted until it is archived. */
function actionsFor(prompt: Prompt, metrics: PromptMetrics | undefined): Action[] {
  if (prompt.archived_at !== null) return ['rename', 'duplicate', 'restore', 'delete'];
  const used = !metrics || metrics.totals.call_count > 0 || prompt.labels.length > 0;
  return ['rename', 'duplicate', 'archive', ...(used ? [] : (['delete'] as const))];
}

export function PromptActions({ prompt, metrics, onChanged }: PromptActionsProps) {
  const [action, setAction] = useState<Action>();
  const close = () => setAction(undefined);
  return (
    <>
      <Popover label={t`More actions`} summary={t`More`} buttonClass="button" atEnd>
        {actionsFor(prompt, metrics).map((one) => (
          <button
            key={one}
            type="button"
            className="menu-item"
            onClick={({ currentTarget }) => {
              closePopover(currentTarget);
              setAction(one);
            }}
          >
            {names[one]}
          </button>
        ))}
      </Popover>
      {action === 'rename' && <Rename {...{ prompt, onChanged }} onClose={close} />}
      {action === 'duplicate' && <Duplicate prompt={prompt} onClose={close} />}
      {(action === 'archive' || action === 'restore') && (
        <Archive {...{ prompt, onChanged }} onClose={close} />
      )}
      {action === 'delete' && <Delete prompt={prompt} metrics={metrics} onClose={close} />}
    </>
  );
}

interface ChangeProps {
  prompt: Prompt;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

function Rename({ prompt, onChanged, onClose }: ChangeProps) {
  const params = { prompt_id: prompt.id };
  const [description, setDescription] = useState(prompt.description);
  return (
    <NameDialog
      title={t`Rename prompt`}
      name={prompt.name}
      action={t`Rename`}
      onSubmit={async (name) => {
        await api.prompts.updatePrompt({ params, body: { name, description } });
        await onChanged();
        onClose();
      }}
      onClose={onClose}
    >
      <label>
        <Trans>Description</Trans>
        <textarea
          className="field"
          rows={3}
          maxLength={10_000}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
      </label>
      <p className="muted">
        <Trans>
          Agents fetch prompts by name. Those that use the old name get an error from then on.
        </Trans>
      </p>
    </NameDialog>
  );
}

function Duplicate({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const [, navigate] = useLocation();
  const version = prompt.latest_version;
  return (
    <NameDialog
      title={t`Duplicate prompt`}
      name={t`${prompt.name.slice(0, 195)} copy`}
      action={t`Duplicate`}
      onSubmit={async (name) => {
        const params = { prompt_id: prompt.id, version_num: String(version) };
        const { content, config, prompt_type } = await api.prompts.getPromptVersion({ params });
        const { description, tags, metadata } = prompt;
        const commit_message = t`Copy of ${prompt.name} v${version}`;
        const copied = { description, tags, metadata, content, config, prompt_type };
        const { id } = await api.prompts.createPrompt({
          body: { name, ...copied, commit_message },
        });
        onClose();
        navigate(pathTo('prompts', id));
      }}
      onClose={onClose}
    >
      <p className="muted">
        <Trans>The new prompt begins with v{version} of this one, without labels.</Trans>
      </p>
    </NameDialog>
  );
}

interface NameDialogProps {
  title: string;
  name: string;
  action: string;
  onSubmit: (name: string) => Promise<void>;
  onClose: () => void;
  children: React.ReactNode;
}

function NameDialog({ title, name: first, action, onSubmit, onClose, children }: NameDialogProps) {
  const [name, setName] = useState(first);
  const { error, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(() => onSubmit(name.trim()));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <PromptNameField name={name} onChange={setName} />
        {children}
        <DialogActions error={error} action={action} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function Archive({ prompt, onChanged, onClose }: ChangeProps) {
  const archived = prompt.archived_at === null;
  return (
    <ConfirmDialog
      title={archived ? t`Archive prompt` : t`Restore prompt`}
      action={archived ? t`Archive` : t`Restore`}
      onConfirm={async () => {
        const params = { prompt_id: prompt.id };
        await api.prompts.updatePrompt({ params, body: { archived } });
        await onChanged();
      }}
      onClose={onClose}
    >
      <p>
        {archived
          ? t`Agents can still fetch it. It leaves the list, gets no new versions, and its labels stay.`
          : t`It is listed again, and gets new versions and labels.`}
      </p>
    </ConfirmDialog>
  );
}

interface DeleteProps {
  prompt: Prompt;
  metrics: PromptMetrics | undefined;
  onClose: () => void;
}

function Delete({ prompt, metrics, onClose }: DeleteProps) {
  const [, navigate] = useLocation();
  const calls = metrics?.totals.call_count ?? 0;
  const versions = plural(prompt.version_count, { one: '# version', other: '# versions' });
  return (
    <ConfirmDialog
      title={t`Delete prompt`}
      action={t`Delete prompt`}
      onConfirm={async () => {
        await api.prompts.deletePrompt({ params: { prompt_id: prompt.id } });
        navigate('/prompts');
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          <Text>{prompt.name}</Text> is deleted with {versions} and the history of its labels.
          Agents that fetch it get an error.
        </Trans>{' '}
        {calls > 0 &&
          `${plural(calls, { one: 'Its # LLM call stay.', other: 'Its # LLM calls stay.' })} `}
        <Trans>This cannot be undone.</Trans>
      </p>
    </ConfirmDialog>
  );
}
