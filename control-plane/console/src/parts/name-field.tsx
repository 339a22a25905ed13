import { useId, useState } from 'react';

interface NameFieldProps {
  label: string;
  /** Suggested names. Other names can be typed too. */
  suggestions: readonly string[];
  value: string;
  onChange: (name: string) => void;
}

/**
 * Field for a name that must match exactly. The name is applied when it equals a suggestion, when
 * Enter is pressed, and when the field is cleared.
 */
export function NameField({ label, suggestions, value, onChange }: NameFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [previous, setPrevious] = useState(value);
  if (value !== previous) {
    // The value can also change elsewhere, through a link or the browser's history.
    setPrevious(value);
    setText(value);
  }
  const names = [...new Set(suggestions)].sort();
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
