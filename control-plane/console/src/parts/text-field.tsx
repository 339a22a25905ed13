import type { ComponentProps } from 'react';
import { FormField } from './form-field.tsx';

type InputProps = Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange'>;

interface TextFieldProps extends InputProps {
  label: string;
  hint?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A text input with its label above and its hint below. */
export const TextField = ({ label, hint, onChange, ...input }: TextFieldProps) => (
  <FormField label={label} hint={hint}>
    {(control) => (
      <input
        className="field"
        autoComplete="off"
        {...input}
        {...control}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </FormField>
);
