import type { ReactNode } from 'react';
import { closePopover } from '../parts/popover.tsx';
import './menu-item.css';

interface MenuItemProps {
  onClick: () => void;
  disabled?: boolean;
  keys?: string;
  children: ReactNode;
}

/** A menu command. It closes the menu and returns the focus to the button of the menu. */
export const MenuItem = ({ onClick, disabled, keys, children }: MenuItemProps) => (
  <button
    type="button"
    className="menu-item"
    disabled={disabled}
    onClick={({ currentTarget }) => {
      currentTarget.closest('details')?.querySelector('summary')?.focus();
      closePopover(currentTarget);
      onClick();
    }}
  >
    <span>{children}</span>
    {keys !== undefined && <span className="muted menu-keys">{keys}</span>}
  </button>
);
