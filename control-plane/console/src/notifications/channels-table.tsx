import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import type { Channel } from '../data/notification-sources.ts';
import { Clipped } from '../parts/badge.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import { ChannelForm } from './channel-form.tsx';
import { kindNames } from './names.ts';
import { RotateSecret } from './rotate-secret.tsx';
import { TestChannel } from './test-channel.tsx';

interface ChannelsTableProps {
  channels: readonly Channel[];
  onChanged: () => Promise<void>;
}

type Action = 'test' | 'edit' | 'rotate' | 'delete';

export function ChannelsTable({ channels, onChanged }: ChannelsTableProps) {
  const [open, setOpen] = useState<{ channel: Channel; action: Action }>();
  const close = () => setOpen(undefined);
  const { channel, action } = open ?? {};
  const problems = new Set(channels.flatMap(({ problem }) => problem ?? []));
  return (
    <>
      {[...problems].map((problem) => (
        <Notice key={problem} tone="warn">
          <Trans>Nothing is sent by email: {problem}.</Trans>
        </Notice>
      ))}
      <DataTable
        label={t`Channels`}
        columns={columnsFor((channel, action) => setOpen({ channel, action }))}
        rows={channels}
        rowKey={({ id }) => id}
      />
      {channel && action === 'test' && <TestChannel channel={channel} onClose={close} />}
      {channel && action === 'edit' && (
        <ChannelForm channel={channel} onSaved={onChanged} onClose={close} />
      )}
      {channel && action === 'rotate' && <RotateSecret channel={channel} onClose={close} />}
      {channel && action === 'delete' && (
        <ConfirmDialog
          title={t`Delete channel`}
          action={t`Delete channel`}
          onClose={close}
          onConfirm={async () => {
            await api.notifications.deleteChannel({ params: { id: channel.id } });
            await onChanged();
          }}
        >
          <p>
            <Trans>
              Nothing is sent to{' '}
              <strong>
                <Text>{channel.name}</Text>
              </strong>{' '}
              any more, including pending messages.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const columnsFor = (onAction: (channel: Channel, action: Action) => void): Column<Channel>[] => [
  { name: t`Name`, width: '22%', cell: ({ name }) => <Clipped text={name} /> },
  { name: t`Kind`, width: 120, cell: ({ kind }) => kindNames[kind] },
  { name: t`Sends to`, cell: ({ target }) => <Clipped text={target} /> },
  {
    name: t`Actions`,
    width: 310,
    align: 'end',
    cell: (channel) => (
      <span className="button-row">
        {buttonsOf(channel).map(([action, name, label]) => (
          <button
            key={action}
            type="button"
            className={action === 'delete' ? 'button danger' : 'button'}
            aria-label={label}
            onClick={() => onAction(channel, action)}
          >
            {name}
          </button>
        ))}
      </span>
    ),
  },
];

const buttonsOf = ({ kind, name }: Channel): (readonly [Action, string, label: string])[] => [
  ['test', t`Send test`, t`Send test ${name}`],
  ['edit', t`Edit`, t`Edit ${name}`],
  ...(kind === 'webhook' ? [['rotate', t`Rotate`, t`Rotate ${name}`] as const] : []),
  ['delete', t`Delete`, t`Delete ${name}`],
];
