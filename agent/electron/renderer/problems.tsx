import { Section } from './section.tsx';

export function Problems({ problems }: { problems: string[] }) {
  if (problems.length === 0) return null;
  return (
    <Section title="Problems" count={problems.length}>
      <ul className="problems">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Section>
  );
}
