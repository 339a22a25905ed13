import { NONE } from '../format.ts';
import { Badge } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { riskWords } from './risk-words.ts';

/** Risk flags as badges, each with its explanation as a tooltip. */
export function RiskBadges({ flags }: { flags: readonly string[] }) {
  if (flags.length === 0) return NONE;
  return (
    <span className="badges">
      {flags.map((flag) => (
        <Badge key={flag} tone="warn" title={markInvisible(riskWords(flag).meaning)}>
          <Text>{riskWords(flag).name}</Text>
        </Badge>
      ))}
    </span>
  );
}

/** Risk flags as a list with explanations. */
export const RiskList = ({ flags }: { flags: readonly string[] }) => (
  <ul className="plain">
    {flags.map((flag) => (
      <li key={flag}>
        <Badge tone="warn">
          <Text>{riskWords(flag).name}</Text>
        </Badge>{' '}
        <Text>{riskWords(flag).meaning}</Text>
      </li>
    ))}
  </ul>
);
