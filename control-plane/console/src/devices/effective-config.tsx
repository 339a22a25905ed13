import { Link } from 'wouter';
import type { DeviceDetail } from '../data/sources.ts';
import { resolvedGuard } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { otherFields } from '../guard/other-fields.ts';
import { pauseText } from '../guard/pause-text.ts';
import { Badge, State } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';

/** The device's configuration, merged from all Guard layers. */
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
          <State tone="accent">Policies are enforced: LLM calls can be blocked</State>
        </p>
      )}
      {config.pause_minutes > 0 && (
        <p className="muted">
          The user may pause capture, {pauseText(config.pause_minutes)} at a time
        </p>
      )}
      <Names title="Hosts" names={config.intercept_hosts} muted={!config.capture_enabled} />
      <Names title={otherFields.intercept_processes} names={config.intercept_processes} />
      <Names title={otherFields.blocked_hosts} names={config.blocked_hosts} />
      <Names title={otherFields.blocked_processes} names={config.blocked_processes} />
      {config.blocked_processes.length > 0 && <InventoryBlocks device={device.id} />}
    </section>
  );
}

/** The processes that inventory rules block, with the rule and the app. */
function InventoryBlocks({ device }: { device: string }) {
  const { data } = useQuery(resolvedGuard({ device }));
  if (!data || data.inventory_blocks.length === 0) return null;
  return (
    <ul className="plain">
      {data.inventory_blocks.map((block) => (
        <li key={`${block.rule_id} ${block.app_group_id}`}>
          <Text>{block.blocked_processes.join(', ')}</Text>: by{' '}
          <Link to={pathTo('inventory-rules', block.rule_id)}>
            <Text>{block.source}</Text>
          </Link>
          , for{' '}
          <Link to={pathTo('apps', block.app_group_id)}>
            <Text>{block.app_name}</Text>
          </Link>
          {block.not_in_force.length > 0 && (
            <>
              . Not in force, since a device takes 500 names:{' '}
              <Text>{block.not_in_force.join(', ')}</Text>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function captureText({ effective_config: config }: DeviceDetail): string {
  if (!config.capture_enabled) return 'Capture is off: nothing is decrypted';
  if (config.intercept_hosts.length === 0)
    return 'Capture is on, but for no host: nothing is decrypted';
  return 'Capture is on for these hosts only';
}

interface NamesProps {
  title: string;
  names: readonly string[];
  /** The names have no effect with the current configuration. */
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
