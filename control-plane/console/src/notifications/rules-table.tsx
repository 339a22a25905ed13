import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import type { Channel, NotificationRule } from '../data/notification-sources.ts';
import { Clipped } from '../parts/badge.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Switch } from '../parts/switch.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { eventNames } from './names.ts';
import { bodyOf, describeQuiet } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';

interface RulesTableProps {
  rules: readonly NotificationRule[];
  channels: readonly Channel[];
  onChanged: () => Promise<void>;
}

export function RulesTable({ rules, channels, onChanged }: RulesTableProps) {
  const [editing, setEditing] = useState<NotificationRule>();
  const [deleting, setDeleting] = useState<NotificationRule>();
  const { error, attempt } = useAttempt();
  const onSwitch = (rule: NotificationRule, enabled: boolean) =>
    void attempt(async () => {
      const body = { ...bodyOf(rule), enabled };
      await api.notifications.replaceNotificationRule({ params: { id: rule.id }, body });
      await onChanged();
    });
  const actions = { onEdit: setEditing, onDelete: setDeleting, onSwitch };
  return (
    <>
      <p className="form-error" role="alert">
        {error}
      </p>
      <DataTable
        label={t`Notification rules`}
        columns={columnsFor(channels, actions)}
        rows={rules}
        rowKey={({ id }) => id}
        rowClass={({ enabled }) => (enabled ? '' : 'absent')}
      />
      {editing && (
        <RuleForm
          rule={editing}
          channels={channels}
          onSaved={onChanged}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={t`Delete rule`}
          action={t`Delete rule`}
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.notifications.deleteNotificationRule({ params: { id: deleting.id } });
            await onChanged();
          }}
        >
          <p>
            <Trans>
              Events are not sent by{' '}
              <strong>
                <Text>{deleting.name}</Text>
              </strong>{' '}
              any more. Pending messages are still sent, without decision links.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface Actions {
  onEdit: (rule: NotificationRule) => void;
  onDelete: (rule: NotificationRule) => void;
  onSwitch: (rule: NotificationRule, enabled: boolean) => void;
}

const columnsFor = (
  channels: readonly Channel[],
  { onEdit, onDelete, onSwitch }: Actions,
): Column<NotificationRule>[] => [
  { name: t`Name`, width: '20%', cell: ({ name }) => <Clipped text={name} /> },
  {
    name: t`Events`,
    cell: ({ events }) => <Clipped text={events.map((one) => eventNames[one]).join(', ')} />,
  },
  {
    name: t`Channels`,
    cell: ({ channel_ids }) => <Clipped text={namesOf(channel_ids, channels)} />,
  },
  {
    name: t`Quiet hours`,
    wideOnly: true,
    cell: ({ quiet_hours }) => <Clipped text={describeQuiet(quiet_hours)} />,
  },
  {
    name: t`On`,
    width: 64,
    cell: (rule) => (
      <Switch
        label={t`${rule.name} is on`}
        on={rule.enabled}
        onChange={(on) => onSwitch(rule, on)}
      />
    ),
  },
  {
    name: t`Actions`,
    width: 150,
    align: 'end',
    cell: (rule) => (
      <span className="button-row">
        <button
          type="button"
          className="button"
          aria-label={t`Edit ${rule.name}`}
          onClick={() => onEdit(rule)}
        >
          <Trans>Edit</Trans>
        </button>
        <button
          type="button"
          className="button danger"
          aria-label={t`Delete ${rule.name}`}
          onClick={() => onDelete(rule)}
        >
          <Trans>Delete</Trans>
        </button>
      </span>
    ),
  },
];

const namesOf = (ids: readonly string[], channels: readonly Channel[]): string =>
  ids.map((id) => channels.find((channel) => channel.id === id)?.name ?? id).join(', ');
