import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { ChevronIcon } from '../icons.tsx';
import { useIsFound } from './matcher-context.ts';
import './collapsible.css';

interface CollapsibleProps {
  title: ReactNode;
  /** The content. If a search matches in it, the section opens. */
  value: unknown;
  children: ReactNode;
}

export function Collapsible({ title, value, children }: CollapsibleProps) {
  const [isChosen, setChosen] = useState(false);
  const id = useId();
  const isOpen = useIsFound(value) || isChosen;
  return (
    <div className="collapsible">
      <button
        type="button"
        className="collapsible-title"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosen(!isOpen)}
      >
        <ChevronIcon />
        <span>{title}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
