import { useRef } from 'react';
import type { FocusEvent, KeyboardEvent } from 'react';
import { markInvisible } from '../mark-invisible.ts';
import { Text } from './text.tsx';
import './multi-choice.css';

interface MultiChoiceProps {
  label: string;
  /** Shown if nothing is selected. */
  all: string;
  /** Summary for two or more selected options. */
  many: (count: number) => string;
  options: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Multi-select field. Selected values that are not among the options (yet) stay visible. */
export function MultiChoice({ label, all, many, options, chosen, onChange }: MultiChoiceProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = () => ref.current?.removeAttribute('open');
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) close();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    close();
    ref.current?.querySelector('summary')?.focus();
  };
  const toggle = (option: string) =>
    onChange(
      chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option],
    );
  const [first = all] = chosen;
  const summary = chosen.length > 1 ? many(chosen.length) : markInvisible(first);
  return (
    <details ref={ref} className="multi-choice" onBlur={onBlur} onKeyDown={onKeyDown}>
      <summary className="field" aria-label={`${label}: ${summary}`}>
        <span className="clipped">{summary}</span>
      </summary>
      {/* Focusable, so that a click beside the checkboxes does not blur the menu, which would
          close it. */}
      <fieldset className="menu" tabIndex={-1}>
        <legend className="hidden">{label}</legend>
        {[...new Set([...chosen, ...options])].sort().map((option) => (
          <label key={option}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={() => toggle(option)}
            />
            <Text>{option}</Text>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
