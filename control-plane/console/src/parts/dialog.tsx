import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Text } from './text.tsx';
import './dialog.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Set for dialogs with long content. */
  wide?: boolean;
  children: ReactNode;
}

/** A modal dialog, open while it is mounted. Escape closes it, and the browser traps the focus. */
export function Dialog({ title, onClose, wide, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby="dialog-title"
      onClose={onClose}
    >
      <h2 id="dialog-title">
        <Text>{title}</Text>
      </h2>
      {children}
    </dialog>
  );
}
