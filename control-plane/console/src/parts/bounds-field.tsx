import { useDraft } from './use-draft.ts';

interface BoundsFieldProps {
  /** What is bounded, with its unit. */
  label: string;
  step: 'any' | 1;
  min: string;
  max: string;
  onChange: (bound: 'min' | 'max', text: string) => void;
}

/** The least and the most of a number; an empty field bounds nothing. */
export function BoundsField({ label, step, min, max, onChange }: BoundsFieldProps) {
  return (
    <fieldset className="bounds">
      <legend className="hidden">{label}</legend>
      <span aria-hidden="true">{label}</span>
      <BoundField
        name={`${label} from`}
        hint="min"
        {...{ step, value: min }}
        onChange={(text) => onChange('min', text)}
      />
      <span aria-hidden="true">–</span>
      <BoundField
        name={`${label} to`}
        hint="max"
        {...{ step, value: max }}
        onChange={(text) => onChange('max', text)}
      />
    </fieldset>
  );
}

interface BoundFieldProps {
  name: string;
  hint: string;
  step: 'any' | 1;
  value: string;
  onChange: (text: string) => void;
}

function BoundField({ name, hint, step, value, onChange }: BoundFieldProps) {
  const { text, type, settle } = useDraft(value, onChange);
  return (
    <input
      type="number"
      className="field"
      aria-label={name}
      placeholder={hint}
      min={0}
      step={step}
      value={text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}
