import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { CopyButton } from '../parts/copy-button.tsx';
import { Select } from '../parts/choice.tsx';
import { useFilters } from '../use-filters.ts';
import { mdmGuides } from './mdm-guides.ts';

const LINUX = `sudo apt-get install -y ./gatehouse-agent_*.deb
sudo gatehouse-agent apply-profile Gatehouse.mobileconfig
sudo systemctl restart gatehouse-agent`;

const linux = { id: 'linux', name: t`Linux, without device management` };

/** The steps for the selected device management system. The selection is in the URL. */
export function RollOut() {
  const filters = useFilters();
  const chosen = filters.get('with');
  return (
    <>
      <h2>
        <Trans>Roll out</Trans>
      </h2>
      <Select
        label={t`Device management`}
        all={t`Choose your device management…`}
        options={[...mdmGuides.map(({ id, name }) => ({ id, name })), linux]}
        value={chosen}
        onChange={(id) => filters.set({ with: id })}
      />
      {chosen === linux.id ? <Linux /> : <MdmSteps chosen={chosen} />}
      <p className="muted">
        <Trans>
          Start with one device. If approval is required, it waits until you approve it.
        </Trans>
      </p>
      <p>
        <Link to="/devices?state=waiting">
          <Trans>Devices that wait for approval</Trans>
        </Link>
      </p>
    </>
  );
}

function MdmSteps({ chosen }: { chosen: string }) {
  const guide = mdmGuides.find(({ id }) => id === chosen);
  if (!guide)
    return (
      <p>
        <Trans>
          Upload both files to your device management and assign them to the same devices.
        </Trans>
      </p>
    );
  return (
    <>
      <ol className="mdm-steps" aria-label={t`Steps for ${guide.name}`}>
        {guide.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="muted">{guide.note}</p>
    </>
  );
}

const Linux = () => (
  <>
    <p>
      <Trans>Copy the profile and the Debian package of the agent to the device, and run:</Trans>
    </p>
    <div className="command">
      <pre tabIndex={0} role="group" aria-label={t`Commands for Linux`}>
        {LINUX}
      </pre>
      <CopyButton text={LINUX} label={t`Copy the commands for Linux`} />
    </div>
  </>
);
