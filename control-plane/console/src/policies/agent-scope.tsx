import { LONGEST_PAGE } from '../data/many.ts';
import { runList } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMany } from '../format.ts';
import { NameField } from '../parts/name-field.tsx';
import { linesOf } from './rule-draft.ts';
import { matchesPattern } from './scope-text.ts';

interface AgentScopeProps {
  /** The agents of the scope, one per line. */
  text: string;
  onChange: (text: string) => void;
}

/** Adds agents of the latest runs to the scope, and says how many of them it matches. */
export function AgentScope({ text, onChange }: AgentScopeProps) {
  const { data } = useQuery(runList({ limit: LONGEST_PAGE }));
  const patterns = linesOf(text);
  const known = [...new Set(data?.results.map(({ agent_name }) => agent_name))].sort();
  const matched = known.filter(
    (agent) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, agent)),
  );
  return (
    <div className="form-field">
      <span>Add an agent</span>
      <NameField
        key={text}
        label="Add an agent"
        suggestions={known.filter((agent) => !patterns.includes(agent))}
        value=""
        onChange={(agent) => {
          if (agent !== '' && !patterns.includes(agent)) onChange([...patterns, agent].join('\n'));
        }}
      />
      <p className="hint" aria-live="polite">
        {data &&
          `Matches ${formatMany(matched.length, 'agent')} of the ${formatCount(known.length)} in the latest runs`}
      </p>
    </div>
  );
}
