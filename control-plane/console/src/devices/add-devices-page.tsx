import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { hookFailModes, recordingLevels } from '#contract/guard.ts';
import { contract } from '#contract/index.ts';
import { download } from '../data/download.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { catalog } from '../data/guard-sources.ts';
import { isPattern } from '../data/catalog.ts';
import { useQuery } from '../data/use-query.ts';
import { codingAgentTexts, hookTexts } from '../guard/setting-text.ts';
import { Select } from '../parts/choice.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { NewDevices } from './new-devices.tsx';
import { RollOut } from './roll-out.tsx';
import './add-devices-page.css';

const parent = { name: t`Devices`, to: '/devices' };

/** Page that explains how to add devices and offers the required files. */
export const AddDevicesPage = ({ user }: { user: User }) => (
  <Page title={t`Add devices`} parent={parent}>
    <div className="card add-devices">
      <p>
        <Trans>
          A device appears here as soon as its agent has started with a configuration profile. Users
          are not prompted for anything.
        </Trans>
      </p>
      <ol>
        <li>
          <ProfileStep mayDownload={mayAdminister(user)} />
        </li>
        <li>
          <PackageStep mayDownload={mayAdminister(user)} />
        </li>
        <li>
          <RollOut />
        </li>
      </ol>
      <NewDevices />
    </div>
  </Page>
);

const ADMINS_ONLY = t`An administrator can download it on this page.`;

function ProfileStep({ mayDownload }: { mayDownload: boolean }) {
  const id = useId();
  const [hosts, setHosts] = useState('');
  const [level, setLevel] = useState('');
  const [checks, setChecks] = useState('');
  const list = hosts.split(/[\s,]+/).filter((host) => host !== '');
  return (
    <>
      <h2>
        <Trans>Download the profile</Trans>
      </h2>
      <p>
        <Trans>
          It contains the address of this service, the root certificate that devices trust, and a
          key that can only enroll devices. Keep it secret.
        </Trans>
      </p>
      {mayDownload ? (
        <>
          <label htmlFor={id}>
            <Trans>Hosts to capture from the start, one per line (optional)</Trans>
          </label>
          <textarea
            id={id}
            className="field"
            rows={2}
            placeholder="api.openai.com"
            value={hosts}
            onChange={(event) => setHosts(event.target.value)}
          />
          <ProviderHosts
            onAdd={(added) => setHosts([...new Set([...list, ...added])].join('\n'))}
          />
          <CodingAgents level={level} onLevel={setLevel} checks={checks} onChecks={setChecks} />
          <Download
            name={t`Download profile`}
            path={contract.deployment.createMdmProfile.path}
            body={{
              hosts: list,
              payloads: 'full',
              coding_agents: level || null,
              tool_checks: checks || null,
            }}
          />
        </>
      ) : (
        <p className="muted">{ADMINS_ONLY}</p>
      )}
    </>
  );
}

/** Form that adds the hosts of a provider to the list. */
function ProviderHosts({ onAdd }: { onAdd: (hosts: string[]) => void }) {
  const { data = [] } = useQuery(catalog());
  const named = data.filter(({ host }) => !isPattern(host));
  const providers = [...new Set(named.map(({ provider }) => provider))];
  const add = (chosen: string) =>
    onAdd(named.flatMap(({ host, provider }) => (provider === chosen ? [host] : [])));
  return (
    <Select
      label={t`Add the hosts of a provider`}
      all={t`Add the hosts of a provider…`}
      options={providers.map((provider) => ({ id: provider, name: provider }))}
      value=""
      onChange={add}
    />
  );
}

/** Fields for the settings of coding agents in the profile. */
const CodingAgents = ({
  level,
  onLevel,
  checks,
  onChecks,
}: {
  level: string;
  onLevel: (level: string) => void;
  checks: string;
  onChecks: (checks: string) => void;
}) => (
  <>
    <ProfileSetting
      label={t`Coding agents on Macs`}
      none={t`Not set up by the profile`}
      options={recordingLevels.map((one) => ({ id: one, name: codingAgentTexts[one] }))}
      value={level}
      onChange={onLevel}
    />
    <ProfileSetting
      label={t`Tool calls of coding agents on Macs`}
      none={t`No hooks in the profile`}
      options={hookFailModes.map((one) => ({ id: one, name: hookTexts[one] }))}
      value={checks}
      onChange={onChecks}
    />
    <p className="muted">
      <Trans>
        On Macs, settings in the profile make Claude Code and Codex report to the agent, and ask it
        before they call a tool. Guard decides whether they are recorded and checked.
      </Trans>
    </p>
  </>
);

interface ProfileSettingProps {
  label: string;
  /** The option for a profile without this setting. */
  none: string;
  options: readonly { id: string; name: string }[];
  value: string;
  onChange: (id: string) => void;
}

const ProfileSetting = ({ label, none, options, value, onChange }: ProfileSettingProps) => (
  <FormField label={label}>
    {(control) => (
      <select
        {...control}
        className="field"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{none}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    )}
  </FormField>
);

const PackageStep = ({ mayDownload }: { mayDownload: boolean }) => (
  <>
    <h2>
      <Trans>Download the package for macOS</Trans>
    </h2>
    <p>
      <Trans>It installs the agent. All devices use the same package.</Trans>
    </p>
    {mayDownload ? (
      <Download name={t`Download package`} path={contract.deployment.downloadInstaller.path} />
    ) : (
      <p className="muted">{ADMINS_ONLY}</p>
    )}
  </>
);

function Download({ name, path, body }: { name: string; path: string; body?: object }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const start = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await download(path, body);
    } catch (caught) {
      setError(caught instanceof Error ? caught.message : String(caught));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" className="button" disabled={busy} onClick={() => void start()}>
        {name}
      </button>
      {error !== undefined && (
        <Notice tone="bad">
          <Text>{error}</Text>
        </Notice>
      )}
    </>
  );
}
