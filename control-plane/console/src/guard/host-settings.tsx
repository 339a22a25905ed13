import type { CatalogHost } from '../data/sources.ts';
import { Empty } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useFilters } from '../use-filters.ts';
import { groupHosts } from './host-groups.ts';
import { effectiveOf } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import { ProviderHosts } from './provider-hosts.tsx';
import type { SettingProps } from './setting.ts';

export interface HostSettingsProps extends SettingProps {
  hosts: readonly CatalogHost[];
}

export function HostSettings(props: HostSettingsProps) {
  const { draft, inherited, hosts, editable, onClear } = props;
  const filters = useFilters();
  const search = filters.get('search');
  const on = effectiveOf(draft, inherited);
  const groups = groupHosts(hosts, on.intercept_hosts, search);
  return (
    <>
      <div className="toolbar">
        <h3>Hosts</h3>
        <SearchField
          label="Search hosts"
          value={search}
          onChange={(search) => filters.set({ search })}
        />
        <span className="spacer" />
        <Origin
          what="Hosts"
          setHere={draft.intercept_hosts !== undefined}
          inherited={sourceText(inherited.sources.intercept_hosts)}
          {...{ editable, onClear }}
        />
      </div>
      {groups.length === 0 && <Empty title={`No host matches “${search}”`} />}
      <div className={on.capture_enabled ? 'host-groups' : 'host-groups without-effect'}>
        {groups.map((group) => (
          <ProviderHosts key={group.provider} group={group} searched={search !== ''} {...props} />
        ))}
      </div>
    </>
  );
}
