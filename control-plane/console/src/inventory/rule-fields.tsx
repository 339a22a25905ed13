import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { blockableKinds } from '#contract/inventory-rules.ts';
import { appKinds } from '#contract/inventory.ts';
import { kindNames } from '../devices/app-names.ts';
import { knownRisks, riskWords } from '../devices/risk-words.ts';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { markInvisible } from '../mark-invisible.ts';
import type { ConditionType, RuleDraft } from './rule-draft.ts';
import { conditionNames } from './rule-words.ts';
import './rule-fields.css';

interface RuleFieldsProps {
  draft: RuleDraft;
  onEdit: (draft: RuleDraft) => void;
}

/** All fields of an inventory rule. */
export const RuleFields = (props: RuleFieldsProps) => (
  <>
    <section className="card" aria-label={t`Rule`}>
      <AboutFields {...props} />
    </section>
    <section className="card" aria-label={t`Condition`}>
      <h2>
        <Trans>Condition</Trans>
      </h2>
      <ConditionFields {...props} />
    </section>
    <section className="card" aria-label={t`Devices`}>
      <h2>
        <Trans>Devices</Trans>
      </h2>
      <p className="muted card-note">
        <Trans>
          One per line. The rule applies to devices that match either field; leave both empty for
          all devices.
        </Trans>
      </p>
      <div className="form-grid">
        <LinesField {...props} field="user_groups" label={t`User groups`} placeholder={t`all`} />
        <LinesField {...props} field="devices" label={t`Device IDs`} placeholder={t`all`} />
      </div>
    </section>
  </>
);

function AboutFields({ draft, onEdit }: RuleFieldsProps) {
  const blockable = blockableKinds.map((kind) => kindNames[kind]).join(', ');
  return (
    <div className="form-grid">
      <TextField
        label={t`Name`}
        required
        maxLength={200}
        value={draft.name}
        onChange={(value) => onEdit({ ...draft, name: value })}
      />
      <FormField
        label={t`Action`}
        hint={
          draft.action === 'block'
            ? t`Only of: ${blockable}. A blocked process still runs; it reaches no AI host.`
            : t`One incident per app and device, resolved when the app is removed.`
        }
      >
        {(control) => (
          <select
            className="field"
            value={draft.action}
            onChange={({ target }) =>
              onEdit({ ...draft, action: target.value === 'block' ? 'block' : 'incident' })
            }
            {...control}
          >
            <option value="incident">{t`Open an incident`}</option>
            <option value="block">{t`Open an incident, and block with Guard`}</option>
          </select>
        )}
      </FormField>
      <div className="form-field">
        <span>
          <Trans>Enabled</Trans>
        </span>
        <Switch
          label={t`Enabled`}
          on={draft.enabled}
          onChange={(enabled) => onEdit({ ...draft, enabled })}
        />
      </div>
      <div className="form-wide">
        <FormField label={t`Description`}>
          {(control) => (
            <textarea
              className="field"
              rows={2}
              maxLength={10_000}
              value={draft.description}
              onChange={({ target }) => onEdit({ ...draft, description: target.value })}
              {...control}
            />
          )}
        </FormField>
      </div>
    </div>
  );
}

const types = Object.keys(conditionNames) as ConditionType[];

function ConditionFields(props: RuleFieldsProps) {
  const { draft, onEdit } = props;
  const isAllowed = draft.type === 'not_allowed';
  return (
    <div className="form-grid">
      <FormField label={t`Match`}>
        {(control) => (
          <select
            className="field"
            value={draft.type}
            onChange={({ target }) =>
              onEdit({ ...draft, type: types.find((one) => one === target.value) ?? draft.type })
            }
            {...control}
          >
            {types.map((type) => (
              <option key={type} value={type}>
                {conditionNames[type]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {draft.type === 'version_below' && (
        <FormField
          label={t`Below version`}
          hint={t`For example 2.1.0; apps of unknown version do not match`}
        >
          {(control) => (
            <input
              className="field"
              autoComplete="off"
              maxLength={100}
              value={draft.version}
              onChange={({ target }) => onEdit({ ...draft, version: target.value })}
              {...control}
            />
          )}
        </FormField>
      )}
      <Boxes
        label={t`Kinds`}
        options={appKinds}
        nameOf={(kind) => kindNames[kind]}
        chosen={draft.kinds}
        onChange={(kinds) => onEdit({ ...draft, kinds })}
      />
      {draft.type === 'risk_flags' && (
        <Boxes
          label={t`Risks`}
          options={[...new Set([...knownRisks, ...draft.flags])]}
          nameOf={(flag) => `${riskWords(flag).name} (${flag})`}
          chosen={draft.flags}
          onChange={(flags) => onEdit({ ...draft, flags })}
        />
      )}
      <div className="form-wide">
        <LinesField
          {...props}
          field="apps"
          label={isAllowed ? t`Allowed apps` : t`Apps`}
          placeholder={draft.type === 'risk_flags' ? t`all` : ''}
          hint={t`Catalog ids or names, one per line; * matches anything`}
        />
      </div>
    </div>
  );
}

interface LinesFieldProps extends RuleFieldsProps {
  field: 'apps' | 'user_groups' | 'devices';
  label: string;
  placeholder: string;
  hint?: string;
}

const LinesField = ({ draft, onEdit, field, label, placeholder, hint }: LinesFieldProps) => (
  <FormField label={label} hint={hint}>
    {(control) => (
      <textarea
        className="field mono"
        rows={3}
        placeholder={placeholder}
        value={draft[field]}
        onChange={({ target }) => onEdit({ ...draft, [field]: target.value })}
        {...control}
      />
    )}
  </FormField>
);

interface BoxesProps<Id extends string> {
  label: string;
  options: readonly Id[];
  nameOf: (id: Id) => string;
  chosen: readonly Id[];
  onChange: (chosen: Id[]) => void;
}

/** Checkboxes for a small number of options. */
function Boxes<Id extends string>({ label, options, nameOf, chosen, onChange }: BoxesProps<Id>) {
  const toggle = (id: Id) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset className="form-wide boxes">
      <legend>{label}</legend>
      {options.map((id) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
          {markInvisible(nameOf(id))}
        </label>
      ))}
    </fieldset>
  );
}
