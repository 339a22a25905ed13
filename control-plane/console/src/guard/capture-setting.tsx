import { t } from '@lingui/core/macro';
import { Switch } from '../parts/switch.tsx';
import { effectiveOf } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import type { SettingProps } from './setting.ts';

/** Switch for capture of all hosts of a layer. */
export function CaptureSetting({ draft, inherited, editable, onEdit, onClear }: SettingProps) {
  const on = effectiveOf(draft, inherited).capture_enabled;
  return (
    <div className="capture-setting">
      <Switch
        label={t`Capture`}
        on={on}
        disabled={!editable}
        onChange={(on) => onEdit({ ...draft, capture_enabled: on })}
      />
      <div>
        <h2>{on ? t`Capture is on` : t`Capture is off`}</h2>
        <Origin
          what={t`Capture`}
          setHere={draft.capture_enabled !== undefined}
          inherited={sourceText(inherited.sources.capture_enabled)}
          {...{ editable, onClear }}
        />
      </div>
    </div>
  );
}
