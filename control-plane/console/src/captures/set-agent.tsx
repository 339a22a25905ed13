import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { captureList } from '../data/capture-sources.ts';
import type { CaptureAgent } from '../data/capture-sources.ts';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { appGroupList } from '../data/inventory-sources.ts';
import { fleet } from '../data/device-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Choice, Select } from '../parts/choice.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { suggestedApps } from './suggested-apps.ts';

interface SetAgentProps {
  /** The setting to change; undefined for a new one. */
  rule: CaptureAgent | undefined;
  onSet: () => Promise<void>;
  onClose: () => void;
}

const outcomes = [
  { id: 'runs', name: t`Create runs` },
  { id: 'none', name: t`Create no runs` },
] as const;

/** Sets the agent of the runs created from captures of an app, a device, or an app on a device. */
export function SetAgent({ rule, onSet, onClose }: SetAgentProps) {
  const [app, setApp] = useState(rule?.app ?? '');
  const [device, setDevice] = useState(rule?.device_id ?? '');
  const [agent, setAgent] = useState(rule?.agent_name ?? '');
  const [outcome, setOutcome] = useState<'runs' | 'none'>(
    rule?.agent_name === null ? 'none' : 'runs',
  );
  const { error, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const agent_name = outcome === 'none' ? null : agent.trim();
    const body = { device_id: device || null, app: app.trim() || null, agent_name };
    const done = await attempt(async () => {
      await api.captures.putCaptureAgent({ body });
      await onSet();
    });
    if (done) onClose();
  };
  return (
    <Dialog title={rule ? t`Change agent` : t`Set agent`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {rule ? (
          <Target rule={rule} />
        ) : (
          <>
            <AppField app={app} onChange={setApp} />
            <DeviceField device={device} onChange={setDevice} />
          </>
        )}
        <Choice label={t`Runs`} options={outcomes} value={outcome} onChange={setOutcome} />
        {outcome === 'runs' && (
          <TextField label={t`Agent`} required maxLength={200} value={agent} onChange={setAgent} />
        )}
        <DialogActions error={error} action={t`Save`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

const Target = ({ rule }: { rule: CaptureAgent }) => (
  <p>
    <Trans>
      For{' '}
      <strong>
        <Text>{rule.app ?? t`any app`}</Text>
      </strong>{' '}
      on{' '}
      <strong>
        <Text>{rule.hostname ?? rule.device_id ?? t`any device`}</Text>
      </strong>
    </Trans>
  </p>
);

interface AppFieldProps {
  app: string;
  onChange: (app: string) => void;
}

/** Suggests the apps of the inventory, and the apps and processes of the latest captures. */
function AppField({ app, onChange }: AppFieldProps) {
  const list = useId();
  const { data: captures } = useQuery(captureList({ limit: MAX_PAGE_SIZE }, {}));
  const { data: groups } = useQuery(appGroupList({ limit: MAX_PAGE_SIZE }));
  const suggestions = suggestedApps(captures?.results ?? [], groups?.results ?? []);
  return (
    <FormField
      label={t`App`}
      hint={t`ID in the app catalog, such as codex-cli, or name of a process; leave empty for any app`}
    >
      {(control) => (
        <>
          <input
            className="field"
            list={list}
            maxLength={256}
            autoComplete="off"
            value={app}
            onChange={({ target }) => onChange(target.value)}
            {...control}
          />
          <datalist id={list}>
            {suggestions.map(({ id, name }) => (
              <option key={id} value={id} label={name} />
            ))}
          </datalist>
        </>
      )}
    </FormField>
  );
}

interface DeviceFieldProps {
  device: string;
  onChange: (device: string) => void;
}

function DeviceField({ device, onChange }: DeviceFieldProps) {
  const { data } = useQuery(fleet());
  const options = data?.results.map(({ id, hostname, user }) => ({
    id,
    name: `${hostname} (${user})`,
  }));
  return (
    <div className="form-field">
      <span>
        <Trans>Device</Trans>
      </span>
      <Select
        label={t`Device`}
        all={t`Any device`}
        options={options ?? []}
        value={device}
        onChange={onChange}
      />
    </div>
  );
}
