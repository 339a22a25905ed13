import { Fragment, useState } from 'react';
import type { CatalogHost } from '../data/sources.ts';
import { Switch } from '../parts/switch.tsx';
import { shorten } from './host-groups.ts';
import type { HostGroup } from './host-groups.ts';
import type { Inherited } from './inherited.ts';
import { effectiveOf, switchHost } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { PatternHost } from './pattern-host.tsx';
import type { SettingProps } from './setting.ts';
import { missingSiblings } from './siblings.ts';

interface ProviderHostsProps extends SettingProps {
  group: HostGroup;
  /** Whether the hosts are filtered by a search: if so, all of them are shown. */
  searched: boolean;
}

export function ProviderHosts({ group, searched, ...props }: ProviderHostsProps) {
  const { draft, inherited, editable, onEdit } = props;
  const { intercept_hosts } = effectiveOf(draft, inherited);
  const [expanded, setExpanded] = useState(false);
  const on = group.hosts.filter(({ host }) => intercept_hosts.includes(host)).length;
  const visibleHosts = searched || expanded ? group.hosts : shorten(group.hosts, intercept_hosts);
  return (
    <section aria-label={group.provider}>
      <h4>
        {group.provider}
        <span className="muted">{on === 0 ? 'all off' : `${on} on`}</span>
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
              {group.hosts.length - visibleHosts.length} more
              <span className="hidden"> of {group.provider}</span>
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
      <Difference host={host} on={on} inherited={inherited} />
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

/** Hosts that the app also uses: without them, its traffic is captured only in part. */
function Siblings({ hosts, draft, inherited, editable, onEdit }: SiblingsProps) {
  if (hosts.length === 0) return null;
  const switchOn = () =>
    onEdit(hosts.reduce((draft, host) => switchHost(draft, inherited, host, true), draft));
  return (
    <li className="siblings muted">
      <span>
        Related hosts: <span className="mono">{hosts.join(', ')}</span>
      </span>
      {editable && (
        <button type="button" className="link" onClick={switchOn}>
          Switch on these hosts
        </button>
      )}
    </li>
  );
}

interface DifferenceProps {
  host: string;
  on: boolean;
  inherited: Inherited;
}

/** Shown only if the inherited state of the host differs. */
function Difference({ host, on, inherited }: DifferenceProps) {
  const source = inherited.sources.intercept_hosts ?? 'default';
  const inheritedOn = inherited.intercept_hosts.includes(host);
  if (source === 'default' || on === inheritedOn) return null;
  return (
    <span className="muted difference">
      {inheritedOn ? 'on' : 'off'} {sourceText(source)}
    </span>
  );
}
