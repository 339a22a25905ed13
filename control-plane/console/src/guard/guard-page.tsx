import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import { guardLevels } from '#contract/guard.ts';
import type { GuardConfig, GuardLevel } from '#contract/guard.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import type { LoadedList } from '../data/load-pages.ts';
import { catalog, guardLayers } from '../data/guard-sources.ts';
import { fleet } from '../data/device-sources.ts';
import type { Device } from '../data/device-sources.ts';
import type { GuardLayer } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Choice } from '../parts/choice.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useFilters } from '../use-filters.ts';
import { useAskBeforeLeaving } from './ask-before-leaving.ts';
import { GuardHistory } from './guard-history.tsx';
import { draftOf } from './layer-draft.ts';
import { LayerEditor } from './layer-editor.tsx';
import { LayersTable } from './layers-table.tsx';
import { layerKey, levelOptions } from './levels.ts';
import { ScopePicker } from './scope-picker.tsx';
import { hasUnsavedEdits, rebaseDraft } from './unsaved-edits.ts';
import type { Edits } from './unsaved-edits.ts';
import { roleNames } from '../users/role-names.ts';

export function GuardPage({ user }: { user: User }) {
  const filters = useFilters();
  const level = guardLevels.find((level) => level === filters.get('level')) ?? 'global';
  const scope = level === 'global' ? '' : filters.get('scope');
  return (
    <Page title={t`Guard`}>
      <Notice tone="warn">
        <Trans>
          Devices decrypt connections only to the hosts that are switched on: the certificate
          authority of each device is constrained to these hosts. Prompts and responses are redacted
          on the device and then appear under <Link to="/captures">Captures</Link>.
        </Trans>
      </Notice>
      {!mayAdminister(user) && (
        <p className="muted page-note">
          <Trans>You are signed in as {roleNames[user.role]}: only admins can change Guard.</Trans>
        </p>
      )}
      <div className="toolbar">
        <Choice
          label={t`Level`}
          options={levelOptions}
          value={level}
          onChange={(level) => filters.set({ level, scope: '' })}
        />
        <ScopePicker
          key={level}
          level={level}
          scope={scope}
          onChange={(scope) => filters.set({ scope })}
        />
      </div>
      <Layers {...{ user, level, scope }} />
    </Page>
  );
}

interface LayersProps {
  user: User;
  level: GuardLevel;
  scope: string;
}

function Layers(props: LayersProps) {
  const layers = useQuery(guardLayers());
  const devices = useQuery(fleet());
  return (
    <Loaded reading={layers}>
      {(all) => (
        <Loaded reading={devices}>
          {(fleet) => (
            <>
              <LayersTable layers={all} devices={fleet.results} />
              <SelectedLayer {...props} layers={all} devices={fleet} onWritten={layers.refetch} />
              <GuardHistory
                key={layerKey(props.level, props.scope)}
                level={props.level}
                scope={props.scope}
                hostnames={new Map(fleet.results.map(({ id, hostname }) => [id, hostname]))}
                editable={mayAdminister(props.user)}
                onReverted={layers.refetch}
              />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface SelectedLayerProps extends LayersProps {
  layers: GuardLayer[];
  devices: LoadedList<Device>;
  onWritten: () => Promise<void>;
}

function SelectedLayer({ user, ...props }: SelectedLayerProps) {
  const { level, scope } = props;
  const hosts = useQuery(catalog());
  const [edits, setEdits] = useState<Edits>({});
  const key = layerKey(level, scope);
  const configs = configsOf(props.layers);
  const saved = draftOf(configs.get(key) ?? {});
  const edit = edits[key];
  useAskBeforeLeaving(hasUnsavedEdits(edits, configs));
  if (level !== 'global' && scope === '') return <Empty title={scopePrompts[level]} />;
  return (
    <Loaded reading={hosts}>
      {(hosts) => (
        <LayerEditor
          key={key}
          {...props}
          hosts={hosts}
          editable={mayAdminister(user)}
          edited={edit && rebaseDraft(edit, saved)}
          onEdit={(draft) =>
            setEdits((edits) => ({ ...edits, [key]: draft && { draft, base: saved } }))
          }
        />
      )}
    </Loaded>
  );
}

const configsOf = (layers: readonly GuardLayer[]): ReadonlyMap<string, GuardConfig> =>
  new Map(layers.map(({ layer, scope, config }) => [layerKey(layer, scope), config]));

const scopePrompts = {
  app_type: t`Select an app type to edit its layer`,
  user_group: t`Select a user group to edit its layer`,
  device: t`Select a device to edit its layer`,
  agent: t`Select an agent to edit its layer`,
};
