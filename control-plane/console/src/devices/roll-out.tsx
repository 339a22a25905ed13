import { Link } from 'wouter';
import { CopyButton } from '../parts/copy-button.tsx';
import { Select } from '../parts/choice.tsx';
import { useFilters } from '../use-filters.ts';
import { mdmGuides } from './mdm-guides.ts';

const LINUX = `sudo apt-get install -y ./gatehouse-agent_*.deb
sudo gatehouse-agent apply-profile Gatehouse.mobileconfig
sudo systemctl restart gatehouse-agent`;

const linux = { id: 'linux', name: 'Linux, without device management' };

/** The steps for the device management system that is chosen; the choice is in the address. */
export function RollOut() {
  const filters = useFilters();
  const chosen = filters.get('with');
  return (
    <>
      <h2>Roll out</h2>
      <Select
        label="Device management"
        all="Choose your device management…"
        options={[...mdmGuides.map(({ id, name }) => ({ id, name })), linux]}
        value={chosen}
        onChange={(id) => filters.set({ with: id })}
      />
      {chosen === linux.id ? <Linux /> : <MdmSteps chosen={chosen} />}
      <p className="muted">Start with one device. If approval is required, it waits for yours.</p>
      <p>
        <Link to="/devices?state=waiting">Devices that wait for approval</Link>
      </p>
    </>
  );
}

function MdmSteps({ chosen }: { chosen: string }) {
  const guide = mdmGuides.find(({ id }) => id === chosen);
  if (!guide)
    return <p>Upload both files to your device management and assign them to the same devices.</p>;
  return (
    <>
      <ol className="mdm-steps" aria-label={`Steps for ${guide.name}`}>
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
    <p>Copy the profile and the Debian package of the agent to the device, and run:</p>
    <div className="command">
      <pre tabIndex={0} role="group" aria-label="Commands for Linux">
        {LINUX}
      </pre>
      <CopyButton text={LINUX} label="Copy the commands for Linux" />
    </div>
  </>
);
