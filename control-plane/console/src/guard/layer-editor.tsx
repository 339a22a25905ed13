import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { GuardLevel, GuardConfig } from '#contract/guard.ts';
import { resolvedGuard } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import { inheritedFrom } from './inherited.ts';
import { inheritedQuery, layerKey, levelNames } from './levels.ts';
import type { LoadedList } from '../data/load-pages.ts';
import type { CatalogHost, GuardLayer } from '../data/guard-sources.ts';
import type { Device } from '../data/device-sources.ts';
import type { Draft } from './layer-draft.ts';
import { describeError } from '../data/describe-error.ts';
import { Text } from '../parts/text.tsx';
import { CaptureSetting } from './capture-setting.tsx';
import { CodingAgentsSetting } from './coding-agents-setting.tsx';
import { HostSettings } from './host-settings.tsx';
import { EnforcementSetting } from './enforcement-setting.tsx';
import type { Inherited } from './inherited.ts';
import { clearField, clearHosts, configWith, draftOf, isSameDraft } from './layer-draft.ts';
import { describeOthers } from './other-fields.ts';
import { PauseSetting } from './pause-setting.tsx';
import { RolloutStatus } from './rollout-status.tsx';
import { SaveBar } from './save-bar.tsx';
import { ToolChecksSetting } from './tool-checks-setting.tsx';
import { api } from '../data/api.ts';
import './layer-editor.css';

export interface LayerEditorProps {
  level: GuardLevel;
  /** An empty string for the global layer. */
  scope: string;
  layers: readonly GuardLayer[];
  devices: LoadedList<Device>;
  hosts: readonly CatalogHost[];
  editable: boolean;
  /** The unsaved draft; undefined if there is none. */
  edited: Draft | undefined;
  onEdit: (draft: Draft | undefined) => void;
  /** Called after the layer has been saved, to refetch the layers. */
  onWritten: () => Promise<unknown>;
}

/** Form for one layer. Loads the values that its level and scope inherit. */
export function LayerEditor(props: LayerEditorProps) {
  const reading = useQuery(resolvedGuard(inheritedQuery(props.level, props.scope)));
  const onWritten = () => Promise.all([reading.refetch(), props.onWritten()]);
  return (
    <Loaded reading={reading}>
      {(resolved) => (
        <LayerForm
          {...props}
          inherited={inheritedFrom(resolved)}
          version={resolved.version}
          onWritten={onWritten}
        />
      )}
    </Loaded>
  );
}

interface LayerFormProps extends LayerEditorProps {
  inherited: Inherited;
  /** Version of the configuration. */
  version: number;
}

function LayerForm(props: LayerFormProps) {
  const { level, scope, layers, devices, hosts, editable, edited, onEdit, inherited } = props;
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const layer = layers.find((one) => layerKey(one.layer, one.scope) === layerKey(level, scope));
  const config = layer?.config ?? {};
  const draft = edited ?? draftOf(config);
  const setting = { draft, inherited, editable: editable && !saving, onEdit };

  const save = async () => {
    setSaving(true);
    setError(undefined);
    try {
      await saveLayer(level, scope, layer, configWith(config, draft));
      await props.onWritten();
      onEdit(undefined);
    } catch (caught) {
      setError(describeError(caught));
    }
    setSaving(false);
  };

  return (
    <section className="card layer" aria-label={t`${levelNames[level]} layer`}>
      <header className="card-header">
        <CaptureSetting {...setting} onClear={() => onEdit(clearField(draft, 'capture_enabled'))} />
        <RolloutStatus {...{ level, scope, devices }} version={layer?.version ?? props.version} />
      </header>
      <EnforcementSetting
        {...setting}
        onClear={() => onEdit(clearField(draft, 'enforce_policies'))}
      />
      <PauseSetting {...setting} onClear={() => onEdit(clearField(draft, 'pause_minutes'))} />
      <CodingAgentsSetting
        {...setting}
        onClear={() => onEdit(clearField(draft, 'coding_agents'))}
      />
      <ToolChecksSetting {...setting} onClear={() => onEdit(clearField(draft, 'tool_checks'))} />
      <OtherFields text={describeOthers(config)} />
      <HostSettings {...setting} hosts={hosts} onClear={() => onEdit(clearHosts(draft))} />
      {!isSameDraft(draft, draftOf(config)) && (
        <SaveBar
          {...{ level, scope, draft, inherited, saving, error }}
          config={configWith(config, draft)}
          onSave={() => void save()}
          onDiscard={() => onEdit(undefined)}
        />
      )}
    </section>
  );
}

/** Lists the fields that can be set only through the API. */
function OtherFields({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p className="muted other-fields" role="group" aria-label={t`Other settings`} tabIndex={0}>
      <Trans>
        Also set on this layer, and not changed by saving: <Text>{text}</Text>
      </Trans>
    </p>
  );
}

/**
 * Saves a layer's configuration and returns the saved layer. An empty layer is deleted, which has
 * the same effect as inheriting everything.
 */
async function saveLayer(
  level: GuardLevel,
  scope: string,
  layer: GuardLayer | undefined,
  config: GuardConfig,
): Promise<GuardLayer | undefined> {
  if (Object.keys(config).length > 0)
    return api.guard.putLayer({ body: { layer: level, scope: scope || null, config } });

  if (layer) await api.guard.deleteLayer({ params: { id: layer.id } });
  return undefined;
}
