import { useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';
import './popover.css';

interface PopoverProps {
  /** Accessible name of the button. */
  label: string;
  /** Content of the button. */
  summary: ReactNode;
  /** Classes of the button. */
  buttonClass: string;
  /** Aligned with the end of the button instead of its start. */
  atEnd?: boolean;
  children: ReactNode;
}

/**
 * A button that opens a menu of controls. Escape closes the menu, and so does moving the focus out
 * of it.
 */
export function Popover({ label, summary, buttonClass, atEnd = false, children }: PopoverProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  // The content of a closed menu is not rendered: otherwise searches in the page would find its
  // labels.
  const [opened, setOpened] = useState(false);
  const close = () => ref.current?.removeAttribute('open');
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !ref.current?.open) return;
    event.stopPropagation();
    close();
    ref.current.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={ref}
      className="popover"
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    >
      <summary className={buttonClass} aria-label={label}>
        {summary}
      </summary>
      {/* Focusable, so that a click beside the controls does not blur the menu, which would
          close it. */}
      <div className={atEnd ? 'popover-body at-end' : 'popover-body'} tabIndex={-1}>
        {opened && children}
      </div>
    </details>
  );
}

/** Closes the menu that contains a control. */
export const closePopover = (control: HTMLElement): void =>
  control.closest('details')?.removeAttribute('open');
