import { FormField } from '../parts/form-field.tsx';

interface NumberFieldProps {
  label: string;
  hint?: string;
  least: number;
  most: number;
  value: number;
  onChange: (value: number) => void;
}

/** Field for an integer. */
export const NumberField = ({ label, hint, least, most, value, onChange }: NumberFieldProps) => (
  <FormField label={label} hint={hint}>
    {(control) => (
      <input
        className="field"
        type="number"
        required
        min={least}
        max={most}
        step={1}
        value={Number.isNaN(value) ? '' : value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        {...control}
      />
    )}
  </FormField>
);
