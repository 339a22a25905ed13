import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CodingAgentLevel, ToolCheckMode } from '#contract/guard.ts';
import type { DeviceDetail } from '../data/device-sources.ts';
import { resolvedGuard } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { otherFields } from '../guard/other-fields.ts';
import { formatCount } from '../format.ts';
import { Badge, State } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';

interface EffectiveConfigProps {
  device: DeviceDetail;
  /** Whether the user may change Guard. */
  administers: boolean;
}

/** The device's effective configuration, merged from all Guard layers. */
export function EffectiveConfig({ device, administers }: EffectiveConfigProps) {
  const config = device.effective_config;
  const isRevoked = device.status === 'revoked';
  const captures = !isRevoked && config.capture_enabled && config.intercept_hosts.length > 0;
  return (
    <section className="card" aria-label={t`Effective configuration`}>
      <header className="card-header">
        <h2>
          <Trans>Effective configuration</Trans>
        </h2>
        <Link to={`/guard?level=device&scope=${encodeURIComponent(device.id)}`}>
          {administers ? t`Change for this device` : t`Show in Guard`}
        </Link>
      </header>
      <p>
        <State tone={captures ? 'accent' : 'neutral'}>{captureText(device)}</State>
      </p>
      {captures && config.enforce_policies && (
        <p>
          <State tone="accent">
            <Trans>Policies are enforced: LLM calls can be blocked</Trans>
          </State>
        </p>
      )}
      {!isRevoked && config.pause_minutes > 0 && (
        <p className="muted">
          {plural(config.pause_minutes, {
            one: 'The user may pause capture, up to # minute at a time',
            other: 'The user may pause capture, up to # minutes at a time',
          })}
        </p>
      )}
      {config.coding_agents !== 'off' && (
        <p className="muted">{agentTexts[config.coding_agents]}</p>
      )}
      {config.tool_checks !== 'off' && <p className="muted">{checkTexts[config.tool_checks]}</p>}
      <Names title={t`Hosts`} names={config.intercept_hosts} muted={!captures} />
      <Names title={otherFields.intercept_processes} names={config.intercept_processes} />
      <Names title={otherFields.blocked_hosts} names={config.blocked_hosts} />
      <Names title={otherFields.blocked_processes} names={config.blocked_processes} />
      {config.blocked_processes.length > 0 && <InventoryBlocks device={device.id} />}
    </section>
  );
}

const agentTexts: Record<Exclude<CodingAgentLevel, 'off'>, string> = {
  metadata: t`Coding agents report their work: metadata only`,
  prompts: t`Coding agents report their work: with prompts and answers`,
  tools: t`Coding agents report their work: with prompts and tool content`,
};

const checkTexts: Record<Exclude<ToolCheckMode, 'off'>, string> = {
  open: t`Tool calls of coding agents: checked, allowed while offline`,
  closed: t`Tool calls of coding agents: checked, refused while offline`,
};

/** Number of blocks shown at first. */
const FIRST_BLOCKS = 10;

/** The processes that inventory rules block, each with the rule and the app. */
function InventoryBlocks({ device }: { device: string }) {
  const { data } = useQuery(resolvedGuard({ device }));
  const [all, setAll] = useState(false);
  if (!data || data.inventory_blocks.length === 0) return null;
  const blocks = data.inventory_blocks;
  const hidden = all ? 0 : Math.max(0, blocks.length - FIRST_BLOCKS);
  return (
    <>
      <ul className="plain">
        {blocks.slice(0, blocks.length - hidden).map((block) => (
          <li key={`${block.rule_id} ${block.app_group_id}`}>
            <Trans>
              <Text>{block.blocked_processes.join(', ')}</Text>: by{' '}
              <Link to={pathTo('inventory-rules', block.rule_id)}>
                <Text>{block.source}</Text>
              </Link>
              , for{' '}
              <Link to={pathTo('apps', block.app_group_id)}>
                <Text>{block.app_name}</Text>
              </Link>
            </Trans>
            {block.not_in_force.length > 0 && (
              <>
                {'. '}
                <Trans>
                  Not enforced, because a device can block at most 500 names:{' '}
                  <Text>{block.not_in_force.join(', ')}</Text>
                </Trans>
              </>
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && <ShowAll what={t`Blocks`} count={blocks.length} onShow={() => setAll(true)} />}
    </>
  );
}

function captureText({ status, effective_config: config }: DeviceDetail): string {
  if (status === 'revoked') return t`The device is revoked: nothing is decrypted`;
  if (!config.capture_enabled) return t`Capture is off: nothing is decrypted`;
  if (config.intercept_hosts.length === 0)
    return t`Capture is on, but for no host: nothing is decrypted`;
  return t`Capture is on for these hosts only`;
}

interface NamesProps {
  title: string;
  names: readonly string[];
  /** Whether the names have no effect with the current configuration. */
  muted?: boolean;
}

/** Number of names shown at first. A device accepts up to 500. */
const FIRST_NAMES = 40;

function Names({ title, names, muted }: NamesProps) {
  const [all, setAll] = useState(false);
  if (names.length === 0) return null;
  const hidden = all ? 0 : Math.max(0, names.length - FIRST_NAMES);
  return (
    <div className={muted ? 'names muted' : 'names'}>
      <h3>{title}</h3>
      <ul className="badges">
        {names.slice(0, names.length - hidden).map((name) => (
          <li key={name}>
            <Badge>
              <span className="mono">
                <Text>{name}</Text>
              </span>
            </Badge>
          </li>
        ))}
      </ul>
      {hidden > 0 && <ShowAll what={title} count={names.length} onShow={() => setAll(true)} />}
    </div>
  );
}

interface ShowAllProps {
  what: string;
  count: number;
  onShow: () => void;
}

const ShowAll = ({ what, count, onShow }: ShowAllProps) => (
  <button type="button" className="link" onClick={onShow}>
    <Trans>
      Show all {formatCount(count)}
      <span className="hidden"> of {what}</span>
    </Trans>
  </button>
);
