import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { effectiveOf } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import { pauseText } from './setting-text.ts';
import type { SettingProps } from './setting.ts';

const choices = [0, 15, 30, 60, 120, 240, 480];

/** Setting: how long the user of a device may pause capture, if at all. */
export function PauseSetting({ draft, inherited, editable, onEdit, onClear }: SettingProps) {
  const { pause_minutes: minutes, enforce_policies } = effectiveOf(draft, inherited);
  // Other values can be set through the API.
  const options = [...new Set([...choices, minutes])].sort((a, b) => a - b);
  return (
    <div className="capture-setting pause-setting">
      <select
        className="field"
        aria-label={t`Capture pauses`}
        value={minutes}
        disabled={!editable}
        onChange={(event) => onEdit({ ...draft, pause_minutes: Number(event.target.value) })}
      >
        {options.map((one) => (
          <option key={one} value={one}>
            {pauseText(one)}
          </option>
        ))}
      </select>
      <div>
        <h3>
          {minutes === 0
            ? t`Users may not pause capture on their device`
            : t`Users may pause capture on their device`}
        </h3>
        <Origin
          what={t`Pauses`}
          setHere={draft.pause_minutes !== undefined}
          inherited={sourceText(inherited.sources.pause_minutes)}
          {...{ editable, onClear }}
        />
        {minutes > 0 && enforce_policies && (
          <p className="muted">
            <Trans>Has no effect while policies block calls on devices.</Trans>
          </p>
        )}
      </div>
    </div>
  );
}
