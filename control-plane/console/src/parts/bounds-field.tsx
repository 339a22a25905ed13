import { t } from '@lingui/core/macro';
import { useDraft } from './use-draft.ts';
import './bounds-field.css';

interface BoundsFieldProps {
  /** Name of the quantity, with its unit. */
  label: string;
  step: 'any' | 1;
  /** Whether values below 0 are allowed. */
  isSigned?: boolean;
  min: string;
  max: string;
  onChange: (bound: 'min' | 'max', text: string) => void;
}

/** Fields for the minimum and maximum of a number. An empty field sets no bound. */
export function BoundsField({ label, min, max, onChange, ...form }: BoundsFieldProps) {
  return (
    <fieldset className="bounds">
      <legend className="hidden">{label}</legend>
      <span aria-hidden="true">{label}</span>
      <BoundField
        name={t`${label} from`}
        hint={t`min`}
        {...{ ...form, value: min }}
        onChange={(text) => onChange('min', text)}
      />
      <span aria-hidden="true">–</span>
      <BoundField
        name={t`${label} to`}
        hint={t`max`}
        {...{ ...form, value: max }}
        onChange={(text) => onChange('max', text)}
      />
    </fieldset>
  );
}

interface BoundFieldProps {
  name: string;
  hint: string;
  step: 'any' | 1;
  isSigned?: boolean;
  value: string;
  onChange: (text: string) => void;
}

function BoundField({ name, hint, step, isSigned, value, onChange }: BoundFieldProps) {
  const { text, type, commit } = useDraft(value, onChange);
  return (
    <input
      type="number"
      className="field"
      aria-label={name}
      placeholder={hint}
      min={isSigned ? undefined : 0}
      step={step}
      value={text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  );
}
