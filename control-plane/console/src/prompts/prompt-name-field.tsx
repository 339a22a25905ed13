import { Trans } from '@lingui/react/macro';

interface PromptNameFieldProps {
  name: string;
  onChange: (name: string) => void;
}

export const PromptNameField = ({ name, onChange }: PromptNameFieldProps) => (
  <label>
    <Trans>Name</Trans>
    <input
      className="field"
      required
      maxLength={200}
      autoComplete="off"
      value={name}
      onChange={({ target }) => onChange(target.value)}
    />
  </label>
);
