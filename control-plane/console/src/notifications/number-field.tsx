import { FormField } from '../parts/form-field.tsx';

interface NumberFieldProps {
  label: string;
  hint?: string;
  min: number;
  max: number;
  value: number;
  onChange: (value: number) => void;
}

/** Field for an integer. */
export const NumberField = ({ label, hint, min, max, value, onChange }: NumberFieldProps) => (
  <FormField label={label} hint={hint}>
    {(control) => (
      <input
        className="field"
        type="number"
        required
        min={min}
        max={max}
        step={1}
        value={Number.isNaN(value) ? '' : value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        {...control}
      />
    )}
  </FormField>
);
