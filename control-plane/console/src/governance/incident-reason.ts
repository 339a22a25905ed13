import type { Incident } from '../data/governance-sources.ts';
import { riskWords } from '../devices/risk-words.ts';

/** The reason of an incident. Reasons of inventory rules quote risk flags by id: names replace them. */
export const incidentReason = ({ source, reason }: Pick<Incident, 'source' | 'reason'>): string =>
  source === 'inventory'
    ? reason.replace(/(?<= has the risk )\w+(?:, \w+)*$/, (flags) =>
        flags
          .split(', ')
          .map((flag) => `“${riskWords(flag).name}”`)
          .join(', '),
      )
    : reason;
