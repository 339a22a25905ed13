import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import type { Prompt, PromptMetrics } from '../data/prompt-sources.ts';
import { formatMany } from '../format.ts';
import { closePopover } from '../parts/close-popover.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Popover } from '../parts/popover.tsx';
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
  rename: 'Rename…',
  duplicate: 'Duplicate…',
  archive: 'Archive…',
  restore: 'Restore…',
  delete: 'Delete…',
};

/** Only what no agent uses may be deleted: what is used is archived first. */
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
      <Popover label="More actions" summary="More" look="button" atEnd>
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
      title="Rename prompt"
      name={prompt.name}
      action="Rename"
      onSubmit={async (name) => {
        await api.prompts.updatePrompt({ params, body: { name, description } });
        await onChanged();
        onClose();
      }}
      onClose={onClose}
    >
      <label>
        Description
        <textarea
          className="field"
          rows={3}
          maxLength={10_000}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
      </label>
      <p className="muted">
        Agents fetch prompts by name. Those that use the old name get an error from then on.
      </p>
    </NameDialog>
  );
}

function Duplicate({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const [, navigate] = useLocation();
  const version = prompt.latest_version;
  return (
    <NameDialog
      title="Duplicate prompt"
      name={`${prompt.name.slice(0, 195)} copy`}
      action="Duplicate"
      onSubmit={async (name) => {
        const params = { prompt_id: prompt.id, version_num: String(version) };
        const { content, config, prompt_type } = await api.prompts.getPromptVersion({ params });
        const { description, tags, metadata } = prompt;
        const commit_message = `Copy of ${prompt.name} v${version}`;
        const copied = { description, tags, metadata, content, config, prompt_type };
        const { id } = await api.prompts.createPrompt({
          body: { name, ...copied, commit_message },
        });
        onClose();
        navigate(pathTo('prompts', id));
      }}
      onClose={onClose}
    >
      <p className="muted">The new prompt begins with v{version} of this one, without labels.</p>
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
      title={archived ? 'Archive prompt' : 'Restore prompt'}
      action={archived ? 'Archive' : 'Restore'}
      onConfirm={async () => {
        const params = { prompt_id: prompt.id };
        await api.prompts.updatePrompt({ params, body: { archived } });
        await onChanged();
      }}
      onClose={onClose}
    >
      <p>
        {archived
          ? 'Agents can still fetch it. It leaves the list, gets no new versions, and its labels stay.'
          : 'It is listed again, and gets new versions and labels.'}
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
  return (
    <ConfirmDialog
      title="Delete prompt"
      action="Delete prompt"
      onConfirm={async () => {
        await api.prompts.deletePrompt({ params: { prompt_id: prompt.id } });
        navigate('/prompts');
      }}
      onClose={onClose}
    >
      <p>
        <Text>{prompt.name}</Text> is deleted with {formatMany(prompt.version_count, 'version')} and
        the history of its labels. Agents that fetch it get an error.
        {calls > 0 && ` Its ${formatMany(calls, 'LLM call')} stay.`} This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
