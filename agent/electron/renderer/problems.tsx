import { problemsByKind } from './problem-kinds.ts';
import { Section } from './section.tsx';
import { useSpeaker } from './speaking.ts';

/** Each problem with its meaning, its remedy, and the agent's own message for support. */
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
