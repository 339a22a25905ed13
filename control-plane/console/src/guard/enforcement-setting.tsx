import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { policyCategories } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Switch } from '../parts/switch.tsx';
import { categoryName } from '../policies/category-names.ts';
import { effectiveOf } from './layer-draft.ts';
import { sourceText } from './levels.ts';
import { Origin } from './origin.tsx';
import type { SettingProps } from './setting.ts';

/** Names the categories that can block a call; the others need more than one call. */
function BlockingCategories() {
  const { data } = useQuery(policyCategories());
  if (!data) return null;
  const names = data
    .filter(({ captured_calls }) => captured_calls)
    .map(({ name }) => categoryName(name))
    .sort()
    .join(', ');
  return (
    <p className="muted">
      <Trans>These categories can block a call: {names}. All others only evaluate it.</Trans>
    </p>
  );
}

/** Setting: whether policies block LLM calls on devices or only evaluate captured calls. */
export function EnforcementSetting({ draft, inherited, editable, onEdit, onClear }: SettingProps) {
  const { enforce_policies: on, capture_enabled } = effectiveOf(draft, inherited);
  return (
    <div className="capture-setting enforcement-setting">
      <Switch
        label={t`Policy enforcement`}
        on={on}
        disabled={!editable}
        onChange={(on) => onEdit({ ...draft, enforce_policies: on })}
      />
      <div>
        <h3>
          {on ? t`Policies block calls on devices` : t`Policies only evaluate captured calls`}
        </h3>
        <Origin
          what={t`Policy enforcement`}
          setHere={draft.enforce_policies !== undefined}
          inherited={sourceText(inherited.sources.enforce_policies)}
          {...{ editable, onClear }}
        />
        {on && <BlockingCategories />}
        {on && !capture_enabled && (
          <p className="muted">
            <Trans>Has no effect while capture is off.</Trans>
          </p>
        )}
      </div>
    </div>
  );
}
