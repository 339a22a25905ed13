import { Link } from 'wouter';
import type { DeviceDetail } from '../data/sources.ts';
import { otherFields } from '../guard/other-fields.ts';
import { Badge, State } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';

/** What the device should run with, all Guard levels taken together. */
export function EffectiveConfig({ device }: { device: DeviceDetail }) {
  const config = device.effective_config;
  const captures = config.capture_enabled && config.intercept_hosts.length > 0;
  return (
    <section className="card" aria-label="Effective configuration">
      <header className="card-header">
        <h2>Effective configuration</h2>
        <Link to={`/guard?level=device&scope=${encodeURIComponent(device.id)}`}>
          Change for this device
        </Link>
      </header>
      <p>
        <State tone={captures ? 'accent' : 'neutral'}>{captureText(device)}</State>
      </p>
      {captures && config.enforce_policies && (
        <p>
          <State tone="accent">Policies refuse calls of LLMs before they are made</State>
        </p>
      )}
      <Names title="Hosts" names={config.intercept_hosts} muted={!config.capture_enabled} />
      <Names title={otherFields.intercept_processes} names={config.intercept_processes} />
      <Names title={otherFields.blocked_hosts} names={config.blocked_hosts} />
      <Names title={otherFields.blocked_processes} names={config.blocked_processes} />
    </section>
  );
}

function captureText({ effective_config: config }: DeviceDetail): string {
  if (!config.capture_enabled) return 'Capture is off: nothing is decrypted';
  if (config.intercept_hosts.length === 0) return 'Capture is on for no host: nothing is decrypted';
  return 'Capture is on for these hosts only';
}

interface NamesProps {
  title: string;
  names: readonly string[];
  /** The names have no effect as things stand. */
  muted?: boolean;
}

function Names({ title, names, muted }: NamesProps) {
  if (names.length === 0) return null;
  return (
    <div className={muted ? 'names muted' : 'names'}>
      <h3>{title}</h3>
      <ul className="badges">
        {names.map((name) => (
          <li key={name}>
            <Badge>
              <span className="mono">
                <Text>{name}</Text>
              </span>
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}
