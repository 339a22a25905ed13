import { SearchIcon } from '../icons.tsx';
import { useDraft } from './use-draft.ts';
import './search-field.css';

interface SearchFieldProps {
  label: string;
  /** Search syntax, shown as a tooltip of the field. */
  hint?: string;
  value: string;
  onChange: (text: string) => void;
}

export function SearchField({ label, hint, value, onChange }: SearchFieldProps) {
  const { text, type, commit } = useDraft(value, onChange);
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <SearchIcon />
      <input
        type="search"
        className="field"
        aria-label={label}
        placeholder={label}
        title={hint}
        maxLength={1000}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
    </form>
  );
}
