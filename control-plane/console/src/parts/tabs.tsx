import type { KeyboardEvent, ReactNode } from 'react';
import './tabs.css';

export interface Tab<Id extends string> {
  id: Id;
  name: string;
  count?: string;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  onChoose: (id: Id) => void;
  children: ReactNode;
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * Tabs. The left and right arrow keys move between tabs; the Tab key moves into the selected panel.
 */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, current, onChoose, children } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(({ id }) => id === current);
    const next = (at + step + tabs.length) % tabs.length;
    const target = tabs[next];
    if (target) onChoose(target.id);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, name, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === current}
            aria-controls="tab-panel"
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {name}
            {count !== undefined && <span className="count">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${current}`}>
        {children}
      </div>
    </>
  );
}
