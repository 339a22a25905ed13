import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { runList } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { NameField } from '../parts/name-field.tsx';
import { linesOf } from './rule-draft.ts';
import { matchesPattern } from './policy-draft.ts';

interface AgentScopeProps {
  /** The agents of the scope, one per line. */
  text: string;
  onChange: (text: string) => void;
}

/**
 * Field that adds agents of the latest runs to the scope and shows how many agents the scope
 * matches.
 */
export function AgentScope({ text, onChange }: AgentScopeProps) {
  const { data } = useQuery(runList({ limit: MAX_PAGE_SIZE }));
  const patterns = linesOf(text);
  const known = [...new Set(data?.results.map(({ agent_name }) => agent_name))].sort();
  const matched = known.filter(
    (agent) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, agent)),
  );
  const all = formatCount(known.length);
  return (
    <div className="form-field">
      <span>
        <Trans>Add an agent</Trans>
      </span>
      <NameField
        key={text}
        label={t`Add an agent`}
        suggestions={known.filter((agent) => !patterns.includes(agent))}
        value=""
        onChange={(agent) => {
          if (agent !== '' && !patterns.includes(agent)) onChange([...patterns, agent].join('\n'));
        }}
      />
      <p className="hint" aria-live="polite">
        {data &&
          plural(matched.length, {
            one: `Matches # agent of the ${all} in the latest runs`,
            other: `Matches # agents of the ${all} in the latest runs`,
          })}
      </p>
    </div>
  );
}
