import { t } from '@lingui/core/macro';
import { Choice } from '../parts/choice.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { errorWithin, type RuleFieldProps } from './field-errors.ts';
import { EntriesField, GroupField, RuleFields } from './rule-groups.tsx';
import type { RuleFieldsProps } from './rule-groups.tsx';
import { kindOf } from './rule-schema.ts';
import type { RuleKind } from './rule-schema.ts';
import { hintOf, labelOf } from './rule-words.ts';
import { pickerOf } from './time-pickers.tsx';
import './rule-field.css';

/** Form fields generated from the schema of a category's rules. */
export const Rules = (props: Omit<RuleFieldsProps, 'Field'>) => (
  <RuleFields {...props} Field={RuleField} />
);

function RuleField(props: RuleFieldProps) {
  const kind = kindOf(props.schema);
  const picker = pickerOf(props);
  if (picker !== undefined) return picker;
  switch (kind.kind) {
    case 'switch':
      return <SwitchField {...props} />;
    case 'choice':
      return <ChoiceField {...props} options={kind.options} />;
    case 'several':
      return <SeveralField {...props} options={kind.options} />;
    case 'group':
      return <GroupField {...props} kind={kind} Field={RuleField} />;
    case 'groups':
    case 'named':
      return <EntriesField {...props} kind={kind} Field={RuleField} />;
    case 'number':
    case 'text':
    case 'list':
    case 'json':
      return <TextualField {...props} kind={kind} />;
  }
}

function TextualField({ name, path, schema, draft, errors, onChange, kind }: KindProps) {
  const text = typeof draft === 'string' ? draft : '';
  const isLong = kind.kind === 'list' || kind.kind === 'json';
  return (
    <FormField
      label={labelOf(name)}
      hint={schema.description ?? hintOf(name, kind)}
      error={errorWithin(errors, path)}
    >
      {(control) =>
        isLong ? (
          <textarea
            className="field mono"
            rows={Math.min(8, Math.max(2, text.split('\n').length))}
            value={text}
            onChange={({ target }) => onChange(target.value)}
            {...control}
          />
        ) : (
          <input
            className="field"
            inputMode={kind.kind === 'number' ? 'decimal' : 'text'}
            autoComplete="off"
            placeholder={schema.anyOf ? t`none` : undefined}
            value={text}
            onChange={({ target }) => onChange(target.value)}
            {...control}
          />
        )
      }
    </FormField>
  );
}

type KindProps = RuleFieldProps & { kind: RuleKind };
type OptionsProps = RuleFieldProps & { options: readonly string[] };

const SwitchField = ({ name, draft, onChange }: RuleFieldProps) => (
  <div className="form-field">
    <span>{labelOf(name)}</span>
    <Switch label={labelOf(name)} on={draft === true} onChange={onChange} />
  </div>
);

const ChoiceField = ({ name, path, draft, errors, onChange, options }: OptionsProps) => (
  <div className="form-field">
    <span>{labelOf(name)}</span>
    <Choice
      label={labelOf(name)}
      options={options.map((id) => ({ id, name: labelOf(id) }))}
      value={typeof draft === 'string' ? draft : ''}
      onChange={onChange}
    />
    <p className="form-error" role="alert">
      {errorWithin(errors, path)}
    </p>
  </div>
);

function SeveralField({ name, path, draft, errors, onChange, options }: OptionsProps) {
  const chosen: readonly string[] = Array.isArray(draft) ? (draft as string[]) : [];
  const toggle = (option: string) =>
    onChange(options.filter((one) => chosen.includes(one) !== (one === option)));
  return (
    <fieldset className="form-field several">
      <legend>{labelOf(name)}</legend>
      <div>
        {options.map((option) => (
          <label key={option}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={() => toggle(option)}
            />
            {labelOf(option)}
          </label>
        ))}
      </div>
      <p className="form-error" role="alert">
        {errorWithin(errors, path)}
      </p>
    </fieldset>
  );
}
