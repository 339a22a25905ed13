import type { ReactNode } from 'react';
import './chosen-bar.css';

/** Actions on the chosen rows of a list; stays in sight. */
export const ChosenBar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="chosen-bar" role="group" aria-label={label}>
    {children}
  </div>
);
