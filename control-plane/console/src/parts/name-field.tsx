import { useId, useState } from 'react';

interface NameFieldProps {
  label: string;
  /** Offered; any other name can be entered too. */
  known: readonly string[];
  value: string;
  onChange: (name: string) => void;
}

/**
 * A name that must match exactly: taken when it is one of the known, is entered with the Enter
 * key or is removed.
 */
export function NameField({ label, known, value, onChange }: NameFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    // It changed, here or elsewhere: by a link, or by going back.
    setSeen(value);
    setText(value);
  }
  const names = [...new Set(known)].sort();
  const type = (text: string) => {
    setText(text);
    if (text === '' || names.includes(text)) onChange(text);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
      }}
    >
      <input
        type="search"
        className="field"
        aria-label={label}
        placeholder={label}
        list={id}
        maxLength={200}
        autoComplete="off"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  );
}
