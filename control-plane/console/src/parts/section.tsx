import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  count?: string;
  /** Text that replaces empty content. */
  empty?: string | false;
  children: ReactNode;
}

export function Section({ title, count, empty, children }: SectionProps) {
  return (
    <section className="section" aria-label={title}>
      <h2>
        {title}
        {count !== undefined && <span className="count">{count}</span>}
      </h2>
      {empty ? <p className="muted">{empty}</p> : children}
    </section>
  );
}
