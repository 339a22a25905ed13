import { t } from '@lingui/core/macro';
import { programKinds } from '#contract/inventory.ts';
import type { GuardLevel } from '#contract/guard.ts';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { runList } from '../data/run-sources.ts';
import { fleet } from '../data/device-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { kindNames } from '../devices/app-names.ts';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { levelNames } from './levels.ts';

interface ScopeProps {
  scope: string;
  onChange: (scope: string) => void;
}

export function ScopePicker({ level, ...props }: ScopeProps & { level: GuardLevel }) {
  switch (level) {
    case 'global':
      return null;
    case 'app_type':
      return <AppTypeScope {...props} />;
    case 'user_group':
      return <GroupScope {...props} />;
    case 'device':
      return <DeviceScope {...props} />;
    case 'agent':
      return <AgentScope {...props} />;
    default:
      return level satisfies never;
  }
}

function AppTypeScope({ scope, onChange }: ScopeProps) {
  const options = programKinds.map((id) => ({ id, name: kindNames[id] }));
  return (
    <Select label={levelNames.app_type} all={t`Choose…`} {...{ options, onChange }} value={scope} />
  );
}

function DeviceScope({ scope, onChange }: ScopeProps) {
  const { data } = useQuery(fleet());
  const options =
    data?.results.map(({ id, hostname, user }) => ({ id, name: `${hostname} (${user})` })) ?? [];
  return (
    <Select label={levelNames.device} all={t`Choose…`} {...{ options, onChange }} value={scope} />
  );
}

function GroupScope({ scope, onChange }: ScopeProps) {
  const { data } = useQuery(fleet());
  const groups = data?.results.flatMap(({ user_group }) => user_group ?? []) ?? [];
  return (
    <NameField
      label={levelNames.user_group}
      suggestions={groups}
      value={scope}
      onChange={onChange}
    />
  );
}

function AgentScope({ scope, onChange }: ScopeProps) {
  const { data } = useQuery(runList({ limit: MAX_PAGE_SIZE }));
  const agents = data?.results.map(({ agent_name }) => agent_name) ?? [];
  return (
    <NameField label={levelNames.agent} suggestions={agents} value={scope} onChange={onChange} />
  );
}
