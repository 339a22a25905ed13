import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import type { User } from '../data/session.ts';
import { Text } from '../parts/text.tsx';
import { useDraft } from '../parts/use-draft.ts';
import { usePaletteEntries } from './palette-entries.ts';
import type { PaletteEntry } from './palette-entries.ts';
import './palette.css';

interface PaletteProps {
  user: User;
  onClose: () => void;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Dialog for quick navigation: a combobox in a modal dialog, following the WAI-ARIA pattern. */
export function Palette({ user, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [, navigate] = useLocation();
  const [search, setSearch] = useState('');
  const { text, type } = useDraft(search, setSearch);
  const entries = usePaletteEntries(user, search);
  const [at, setAt] = useState(0);
  const chosen = Math.min(at, entries.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${list}${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, chosen]);
  const follow = ({ to }: PaletteEntry) => {
    onClose();
    navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const entry = entries[chosen];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter' && entry && text === search) {
      event.preventDefault();
      follow(entry);
    }
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={t`Go to`} onClose={onClose}>
      <input
        className="field"
        role="combobox"
        aria-label={t`Page, run ID, agent, user, device, prompt or policy`}
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen < 0 ? undefined : `${list}${chosen}`}
        placeholder={t`Page, run ID, agent, user, device, prompt or policy`}
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={(event) => {
          setAt(0);
          type(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label={t`Results`}>
        {entries.map((entry, index) => (
          <li
            key={`${entry.kind} ${entry.to}`}
            id={`${list}${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => setAt(index)}
            onClick={() => follow(entry)}
          >
            <span className="clipped">
              <Text>{entry.name}</Text>
            </span>
            <span className="muted">{entry.kind}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 && (
        <p className="muted">
          <Trans>Nothing matches.</Trans>
        </p>
      )}
    </dialog>
  );
}
