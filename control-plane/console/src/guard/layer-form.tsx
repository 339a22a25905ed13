import { useState } from 'react';
import { describeError } from '../data/describe-error.ts';
import type { Resolved } from '../data/sources.ts';
import { Text } from '../parts/text.tsx';
import { CaptureSetting } from './capture-setting.tsx';
import { HostSettings } from './host-settings.tsx';
import { EnforcementSetting } from './enforcement-setting.tsx';
import { inheritedBy } from './inherited.ts';
import { clearField, configWith, draftOf, isSame } from './layer-draft.ts';
import type { LayerEditorProps } from './layer-editor-props.ts';
import { layerKey, levelNames } from './levels.ts';
import { describeOthers } from './other-fields.ts';
import { PauseSetting } from './pause-setting.tsx';
import { RolloutStatus } from './rollout-status.tsx';
import { SaveBar } from './save-bar.tsx';
import { saveLayer } from './save-layer.ts';

interface LayerFormProps extends LayerEditorProps {
  here: Resolved;
  broader: Resolved;
}

export function LayerForm(props: LayerFormProps) {
  const { level, scope, layers, devices, hosts, editable, edited, onEdit, here, broader } = props;
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const layer = layers.find((one) => layerKey(one.layer, one.scope) === layerKey(level, scope));
  const config = layer?.config ?? {};
  const draft = edited ?? draftOf(config);
  const inherited = inheritedBy(level, config, here, broader);
  const setting = { draft, inherited, editable: editable && !saving, onEdit };

  const save = async () => {
    setSaving(true);
    setError(undefined);
    try {
      await saveLayer(level, scope, layer, configWith(config, draft));
      await props.onWritten();
      onEdit(undefined);
    } catch (cause) {
      setError(describeError(cause));
    }
    setSaving(false);
  };

  return (
    <section className="card layer" aria-label={`${levelNames[level]} layer`}>
      <header className="card-header">
        <CaptureSetting {...setting} onClear={() => onEdit(clearField(draft, 'capture_enabled'))} />
        <RolloutStatus {...{ level, scope, devices }} version={layer?.version ?? here.version} />
      </header>
      <EnforcementSetting
        {...setting}
        onClear={() => onEdit(clearField(draft, 'enforce_policies'))}
      />
      <PauseSetting {...setting} onClear={() => onEdit(clearField(draft, 'pause_minutes'))} />
      <OtherFields text={describeOthers(config)} />
      <HostSettings
        {...setting}
        hosts={hosts}
        onClear={() => onEdit(clearField(draft, 'intercept_hosts'))}
      />
      {!isSame(draft, draftOf(config)) && (
        <SaveBar
          {...{ draft, inherited, saving, error }}
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
    <p className="muted">
      Also set on this layer, and not changed by saving: <Text>{text}</Text>
    </p>
  );
}
