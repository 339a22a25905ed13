import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { channelKinds } from '#contract/notifications.ts';
import type { ChannelKind } from '#contract/notifications.ts';
import { api } from '../data/api.ts';
import type { Channel, NewChannel } from '../data/notification-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { kindNames } from './names.ts';

interface ChannelFormProps {
  /** Undefined for a new channel. */
  channel?: Channel;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

const kinds = channelKinds.map((id) => ({ id, name: kindNames[id] }));

const hints: Record<ChannelKind, string> = {
  webhook: t`Requests are signed. The signing secret is shown when the channel is created.`,
  slack: t`The URL of an incoming webhook of your Slack app.`,
  teams: t`The URL of a workflow with the trigger “When a Teams webhook request is received”.`,
  email: t`Separated by commas or line breaks. Each recipient gets a message of their own.`,
};

/**
 * Dialog that adds or changes a channel. Its URL is never shown again, so a change requires it only
 * to replace it.
 */
export function ChannelForm({ channel, onSaved, onClose }: ChannelFormProps) {
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? 'slack');
  const [name, setName] = useState(channel?.name ?? '');
  const [target, setTarget] = useState(channel?.recipients.join(', ') ?? '');
  const [secret, setSecret] = useState<string>();
  const { error, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      const created = await save(channel, { kind, name, target });
      await onSaved();
      if (created === null) onClose();
      else setSecret(created);
    });
  };
  if (secret !== undefined)
    return (
      <Dialog title={t`Signing secret`} onClose={onClose}>
        <ShownOnce label={t`Signing secret`} value={secret} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={channel ? t`Edit channel` : t`Add channel`} onClose={onClose}>
      <form onSubmit={submit}>
        {!channel && <Choice label={t`Kind`} options={kinds} value={kind} onChange={setKind} />}
        <TextField label={t`Name`} required maxLength={100} value={name} onChange={setName} />
        <TargetField {...{ kind, target, isNew: !channel, onChange: setTarget }} />
        <DialogActions error={error} action={channel ? t`Save` : t`Add`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface TargetFieldProps {
  kind: ChannelKind;
  target: string;
  isNew: boolean;
  onChange: (target: string) => void;
}

function TargetField({ kind, target, isNew, onChange }: TargetFieldProps) {
  const common = {
    className: 'field',
    value: target,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (kind === 'email')
    return (
      <FormField label={t`Recipients`} hint={hints.email}>
        {(control) => <textarea rows={3} required {...common} {...control} />}
      </FormField>
    );
  return (
    <FormField
      label={t`URL`}
      hint={
        isNew
          ? hints[kind]
          : t`Leave empty to keep the current URL. It is a secret and therefore not shown.`
      }
    >
      {(control) => (
        <input type="url" placeholder="https://" required={isNew} {...common} {...control} />
      )}
    </FormField>
  );
}

interface Draft {
  kind: ChannelKind;
  name: string;
  target: string;
}

/** Saves the channel. Returns the secret of a new webhook, otherwise null. */
async function save(channel: Channel | undefined, draft: Draft): Promise<string | null> {
  const { kind, name, target } = draft;
  const recipients = target.split(/[\s,;]+/).filter(Boolean);
  if (!channel) {
    const body: NewChannel =
      kind === 'email' ? { kind, name, recipients } : { kind, name, url: target };
    return (await api.notifications.createChannel({ body })).secret;
  }
  const changed = kind === 'email' ? { recipients } : { ...(target && { url: target }) };
  await api.notifications.updateChannel({
    params: { id: channel.id },
    body: { name, ...changed },
  });
  return null;
}
