import { Switch } from '../parts/switch.tsx';
import { effectiveOf } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import type { SettingProps } from './setting.ts';

/** Whether policies only record what captured calls did, or refuse calls before they are made. */
export function EnforcementSetting({ draft, inherited, editable, onEdit, onClear }: SettingProps) {
  const { enforce_policies: on, capture_enabled } = effectiveOf(draft, inherited);
  return (
    <div className="capture-setting enforcement-setting">
      <Switch
        label="Enforcement of policies"
        on={on}
        disabled={!editable}
        onChange={(on) => onEdit({ ...draft, enforce_policies: on })}
      />
      <div>
        <h3>
          {on ? 'Policies refuse calls on devices' : 'Policies only record what was captured'}
        </h3>
        <Origin
          what="Enforcement of policies"
          setHere={draft.enforce_policies !== undefined}
          inherited={sourceText(inherited.sources.enforce_policies)}
          {...{ editable, onClear }}
        />
        {on && !capture_enabled && <p className="muted">Without effect while capture is off.</p>}
      </div>
    </div>
  );
}
