import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { CatalogHost } from '../data/guard-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useFilters } from '../use-filters.ts';
import { groupHosts } from './host-groups.ts';
import { asOverrides, effectiveOf, setsHosts } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import { ProviderHosts } from './provider-hosts.tsx';
import type { SettingProps } from './setting.ts';
import './host-settings.css';

export interface HostSettingsProps extends SettingProps {
  hosts: readonly CatalogHost[];
}

const shown = [
  { id: 'all', name: t`All` },
  { id: 'on', name: t`Only on` },
  { id: 'overridden', name: t`Only overridden` },
] as const;

export function HostSettings(props: HostSettingsProps) {
  const { draft, inherited, hosts, editable, onClear } = props;
  const filters = useFilters();
  const search = filters.get('search');
  const only = shown.find(({ id }) => id === filters.get('only'))?.id ?? 'all';
  const on = effectiveOf(draft, inherited);
  const isShown = ({ host }: { host: string }): boolean => {
    if (only === 'all') return true;
    const isOn = on.intercept_hosts.includes(host);
    return only === 'on' ? isOn : isOverridden(host, isOn, props);
  };
  const groups = groupHosts(hosts, on.intercept_hosts, search)
    .map((group) => ({
      ...group,
      hosts: group.hosts.filter(isShown),
      patterns: only === 'all' ? group.patterns : [],
    }))
    .filter((group) => group.hosts.length + group.patterns.length > 0);
  return (
    <>
      <div className="toolbar">
        <h3>
          <Trans>Hosts</Trans>
        </h3>
        <SearchField
          label={t`Search hosts`}
          value={search}
          onChange={(search) => filters.set({ search })}
        />
        <Choice
          label={t`Hosts shown`}
          options={shown}
          value={only}
          onChange={(only) => filters.set({ only: only === 'all' ? '' : only })}
        />
        <span className="spacer" />
        <Origin
          what={t`Hosts`}
          setHere={setsHosts(draft)}
          inherited={sourceText(inherited.sources.intercept_hosts)}
          {...{ editable, onClear }}
        />
      </div>
      <WholeList {...props} />
      {groups.length === 0 && (
        <Empty title={emptyTitle(search, only)}>
          {search !== '' && only === 'all' && (
            <p>
              <Trans>
                Only the AI hosts of the catalog can be captured, and never a banking, health or
                mail host.
              </Trans>
            </p>
          )}
        </Empty>
      )}
      <div className={on.capture_enabled ? 'host-groups' : 'host-groups without-effect'}>
        {groups.map((group) => (
          <ProviderHosts
            key={group.provider}
            group={group}
            searched={search !== '' || only !== 'all'}
            {...props}
          />
        ))}
      </div>
    </>
  );
}

function emptyTitle(search: string, only: (typeof shown)[number]['id']): string {
  if (search !== '') return t`No host matches “${search}”`;
  return only === 'on' ? t`No host is on` : t`This layer overrides no host`;
}

function isOverridden(host: string, isOn: boolean, { draft, inherited }: SettingProps): boolean {
  if (draft.host_overrides?.[host] !== undefined) return true;
  return draft.intercept_hosts !== undefined && isOn !== inherited.intercept_hosts.includes(host);
}

/**
 * Notice for a layer that sets the whole list, which only the API can do. It overrides the hosts of
 * all broader layers.
 */
function WholeList({ draft, inherited, editable, onEdit }: SettingProps) {
  if (draft.intercept_hosts === undefined) return null;
  const count = plural(draft.intercept_hosts.length, { one: '# host', other: '# hosts' });
  return (
    <Notice tone="warn">
      <Trans>
        This layer replaces the whole list ({count}): later changes of broader layers do not reach
        it.
      </Trans>{' '}
      {editable && (
        <button
          type="button"
          className="link"
          onClick={() => onEdit(asOverrides(draft, inherited))}
        >
          <Trans>Keep only the differences</Trans>
        </button>
      )}
    </Notice>
  );
}
