import { type ReactNode, useId } from 'react';

/** A part of the page under a heading that names it. */
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
  /** Of what is in it, if there is anything. */
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
