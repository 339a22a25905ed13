import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { captureAgents, keyOfAgent } from '../data/capture-sources.ts';
import type { CaptureAgent } from '../data/capture-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import { AgentsTable } from './agents-table.tsx';
import { SetAgent } from './set-agent.tsx';

/** Maps captures to agents: the agent of the run that is created from a capture. */
export function CaptureAgents({ user }: { user: User }) {
  const reading = useQuery(captureAgents());
  const [setting, setSetting] = useState<CaptureAgent | 'new'>();
  const [removing, setRemoving] = useState<CaptureAgent>();
  const writes = mayAdminister(user);
  return (
    <>
      <p className="muted toolbar">
        <Trans>
          Each captured LLM call becomes a run. The run’s agent is named after the app, or
          “captured” for programs that are not in the app catalog, unless an administrator sets
          another name here. The most specific setting applies: an app on a device, then the device,
          then the app, then all. Changes apply to captures that arrive from now on.
        </Trans>
      </p>
      {writes && (
        <div className="toolbar">
          <CreateButton name={t`Set agent`} onClick={() => setSetting('new')} />
        </div>
      )}
      <Loaded reading={reading}>
        {({ results }) =>
          results.length > 0 && (
            <AgentsTable
              rules={results}
              actions={writes ? { onChange: setSetting, onRemove: setRemoving } : undefined}
            />
          )
        }
      </Loaded>
      {setting && (
        <SetAgent
          key={setting === 'new' ? 'new' : keyOfAgent(setting)}
          rule={setting === 'new' ? undefined : setting}
          onSet={reading.refetch}
          onClose={() => setSetting(undefined)}
        />
      )}
      {removing && (
        <RemoveAgent
          rule={removing}
          onRemoved={reading.refetch}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

interface RemoveAgentProps {
  rule: CaptureAgent;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

function RemoveAgent({ rule, onRemoved, onClose }: RemoveAgentProps) {
  const { device_id, hostname, app } = rule;
  const query = { ...(device_id !== null && { device_id }), ...(app !== null && { app }) };
  return (
    <ConfirmDialog
      title={t`Remove agent`}
      action={t`Remove`}
      onConfirm={async () => {
        await api.captures.deleteCaptureAgent({ query });
        await onRemoved();
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          Removes the setting for{' '}
          <strong>
            <Text>{app ?? t`any app`}</Text>
          </strong>{' '}
          on{' '}
          <strong>
            <Text>{hostname ?? device_id ?? t`any device`}</Text>
          </strong>
          . Existing runs do not change.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}
