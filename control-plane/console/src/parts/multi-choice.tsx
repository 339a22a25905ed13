import { useRef } from 'react';
import type { FocusEvent, KeyboardEvent } from 'react';
import { visible } from '../visible.ts';
import { Text } from './text.tsx';

interface MultiChoiceProps {
  label: string;
  /** Stands for no choice. */
  all: string;
  /** Says how many are chosen when it is more than one. */
  many: (count: number) => string;
  options: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Any number of many. What is chosen but not among the options (yet) stays visible. */
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
  const shown = chosen.length > 1 ? many(chosen.length) : visible(first);
  return (
    <details ref={ref} className="multi-choice" onBlur={onBlur} onKeyDown={onKeyDown}>
      <summary className="field" aria-label={`${label}: ${shown}`}>
        <span className="clipped">{shown}</span>
      </summary>
      {/* Takes the focus of clicks beside the boxes, which would else be seen as leaving. */}
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
