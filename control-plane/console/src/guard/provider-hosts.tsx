import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Fragment, useState } from 'react';
import type { CatalogHost } from '../data/guard-sources.ts';
import { Badge } from '../parts/badge.tsx';
import { Switch } from '../parts/switch.tsx';
import { collapseHosts, missingSiblings } from './host-groups.ts';
import type { HostGroup } from './host-groups.ts';
import { effectiveOf, resetHost, switchHost } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { PatternHost } from './pattern-host.tsx';
import type { SettingProps } from './setting.ts';

interface ProviderHostsProps extends SettingProps {
  group: HostGroup;
  /** Whether a search filters the hosts. If so, all of them are shown. */
  searched: boolean;
}

export function ProviderHosts({ group, searched, ...props }: ProviderHostsProps) {
  const { draft, inherited, editable, onEdit } = props;
  const { intercept_hosts } = effectiveOf(draft, inherited);
  const [expanded, setExpanded] = useState(false);
  const on = group.hosts.filter(({ host }) => intercept_hosts.includes(host)).length;
  const visibleHosts =
    searched || expanded ? group.hosts : collapseHosts(group.hosts, intercept_hosts);
  return (
    <section aria-label={group.provider}>
      <h4>
        {group.provider}
        <span className="muted">
          {on === 0 ? t`all off` : t`${on} on`}
          {editable && <AllHosts group={group} on={on} {...props} />}
        </span>
      </h4>
      <ul>
        {visibleHosts.map((host) => (
          <Fragment key={host.host}>
            <Host host={host} on={intercept_hosts.includes(host.host)} {...props} />
            {intercept_hosts.includes(host.host) && (
              <Siblings {...props} hosts={missingSiblings(host, intercept_hosts)} />
            )}
          </Fragment>
        ))}
        {visibleHosts.length < group.hosts.length && (
          <li>
            <button type="button" className="link" onClick={() => setExpanded(true)}>
              <Trans>{group.hosts.length - visibleHosts.length} more</Trans>
              <span className="hidden">
                {' '}
                <Trans>of {group.provider}</Trans>
              </span>
            </button>
          </li>
        )}
        {editable &&
          group.patterns.map((pattern) => (
            <PatternHost
              key={pattern.host}
              pattern={pattern}
              onAdd={(host) => onEdit(switchHost(draft, inherited, host, true))}
            />
          ))}
      </ul>
    </section>
  );
}

interface HostProps extends SettingProps {
  host: CatalogHost;
  on: boolean;
}

function Host({ host: { host, name }, on, draft, inherited, editable, onEdit }: HostProps) {
  return (
    <li>
      <div className="host">
        <span className="clipped mono" title={host}>
          {host}
        </span>
        <span className="clipped muted" title={name}>
          {name}
        </span>
      </div>
      <Difference {...{ host, on, draft, inherited, editable, onEdit }} />
      <Switch
        label={host}
        on={on}
        disabled={!editable}
        onChange={(on) => onEdit(switchHost(draft, inherited, host, on))}
      />
    </li>
  );
}

interface SiblingsProps extends SettingProps {
  hosts: readonly string[];
}

/**
 * Notice with other hosts that the app uses. Without them, its traffic is captured only in part.
 */
function Siblings({ hosts, draft, inherited, editable, onEdit }: SiblingsProps) {
  if (hosts.length === 0) return null;
  const switchOn = () =>
    onEdit(hosts.reduce((draft, host) => switchHost(draft, inherited, host, true), draft));
  return (
    <li className="siblings muted">
      <span>
        <Trans>
          The same apps may also use: <span className="mono">{hosts.join(', ')}</span>
        </Trans>
      </span>
      {editable && (
        <button type="button" className="link" onClick={switchOn}>
          <Trans>
            Enable<span className="hidden"> {hosts.join(', ')}</span>
          </Trans>
        </button>
      )}
    </li>
  );
}

interface DifferenceProps extends Omit<SettingProps, 'onClear'> {
  host: string;
  on: boolean;
}

/** Shows how a host differs from its inherited state, with a button that removes the override. */
function Difference({ host, on, draft, inherited, editable, onEdit }: DifferenceProps) {
  const source = inherited.sources.intercept_hosts ?? 'default';
  const inheritedOn = inherited.intercept_hosts.includes(host);
  const from = sourceText(source);
  const state = inheritedOn ? t`on ${from}` : t`off ${from}`;
  if (draft.host_overrides?.[host] === undefined) {
    if (source === 'default' || on === inheritedOn) return null;
    return <span className="muted difference">{state}</span>;
  }
  return (
    <span className="difference">
      <Badge tone="accent" title={t`Without this layer: ${state}`}>
        <Trans>Overridden</Trans>
      </Badge>
      {editable && (
        <button
          type="button"
          className="link"
          onClick={() => onEdit(resetHost(draft, inherited, host))}
        >
          <Trans>
            Reset<span className="hidden"> {host}</span>
          </Trans>
        </button>
      )}
    </span>
  );
}

interface AllHostsProps extends SettingProps {
  group: HostGroup;
  on: number;
}

/** Switch for all displayed hosts of a provider. */
function AllHosts({ group, on, draft, inherited, onEdit }: AllHostsProps) {
  if (group.hosts.length === 0) return null;
  const enable = on < group.hosts.length;
  const all = () =>
    group.hosts.reduce((draft, { host }) => switchHost(draft, inherited, host, enable), draft);
  return (
    <button type="button" className="link all-hosts" onClick={() => onEdit(all())}>
      {enable ? t`Enable all` : t`Disable all`}
      <span className="hidden">
        {' '}
        <Trans>of {group.provider}</Trans>
      </span>
    </button>
  );
}
