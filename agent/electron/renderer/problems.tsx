import { problemsByKind } from './problem-kinds.ts';
import { Section } from './section.tsx';
import { useSpeaker } from './speaking.ts';

/** What does not work, what it means, what helps, and the agent's own words for whoever is asked. */
export function Problems({ problems }: { problems: string[] }) {
  const { say } = useSpeaker();
  if (problems.length === 0) return null;
  return (
    <Section title={say('problems.title')} count={problems.length}>
      <ul className="problems">
        {problemsByKind(problems).map(([kind, lines]) => (
          <li key={kind}>
            <strong>{say(`problems.${kind}`)}</strong> {say(`problems.${kind} remedy`)}
            {lines.map((line) => (
              <p key={line} className="line" translate="no">
                {line}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
