import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { describeError } from '../data/describe-error.ts';
import { Text } from '../parts/text.tsx';
import { CaptureSetting } from './capture-setting.tsx';
import { CodingAgentsSetting } from './coding-agents-setting.tsx';
import { HostSettings } from './host-settings.tsx';
import { EnforcementSetting } from './enforcement-setting.tsx';
import type { Inherited } from './inherited.ts';
import { clearField, clearHosts, configWith, draftOf, isSame } from './layer-draft.ts';
import type { LayerEditorProps } from './layer-editor-props.ts';
import { layerKey, levelNames } from './levels.ts';
import { describeOthers } from './other-fields.ts';
import { PauseSetting } from './pause-setting.tsx';
import { RolloutStatus } from './rollout-status.tsx';
import { SaveBar } from './save-bar.tsx';
import { saveLayer } from './save-layer.ts';
import { ToolChecksSetting } from './tool-checks-setting.tsx';
import './layer-form.css';

interface LayerFormProps extends LayerEditorProps {
  inherited: Inherited;
  /** The version of the configuration. */
  version: number;
}

export function LayerForm(props: LayerFormProps) {
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
      {!isSame(draft, draftOf(config)) && (
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

/** Fields that are set through the API and cannot be edited here. */
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
