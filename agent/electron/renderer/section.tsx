import { type ReactNode, useId } from 'react';

/** A section of the page with a heading. */
export function Section({ title, count, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2>
        <span id={id}>{title}</span>
        {Boolean(count) && <span className="count">{count}</span>}
      </h2>
      {children}
    </section>
  );
}

interface SectionProps {
  title: string;
  /** The number of items; 0 is not shown. */
  count?: ReactNode;
  children: ReactNode;
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
