import type { CodingAgent } from './agents.ts';
import type { Trial } from './try-agent.ts';

/** A table in Markdown with a row for each agent. */
export function tableOf(agents: readonly CodingAgent[], trials: readonly Trial[]): string {
  const head = [
    'coding agent',
    'calls',
    'tokens',
    'cost',
    'session',
    'user',
    'tool',
    'allowed',
    'denied',
  ];
  const rows = agents.map((agent) => {
    const of = (policy: Trial['policy']) =>
      trials.find((one) => one.agent === agent.name && one.policy === policy);
    const [allowed, denied] = [of('allowed'), of('denied')];
    const seen = allowed?.seen;
    return [
      agent.package.replace(/@(?=[^@]*$)/, ' '),
      seen ? String(seen.calls) : '',
      seen?.tokens ?? '',
      seen?.cost ?? '',
      seen?.session ? 'yes' : 'no',
      seen?.user ?? '',
      agent.tool,
      outcomeOf(allowed, 'ran'),
      outcomeOf(denied, 'refused, with the reason'),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const outcomeOf = (trial: Trial | undefined, right: string): string => {
  if (!trial) return 'not tried';
  return trial.faults.length === 0 ? right : `NOT OK: ${trial.faults.join(', ')}`;
};
