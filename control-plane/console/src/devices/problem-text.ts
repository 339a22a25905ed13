import { kindNames } from './app-names.ts';

/** A problem reported by an agent. Agents name kinds of apps by id: `mcp_server: 9017 found, …`. */
export const problemText = (problem: string): string =>
  problem.replace(/^\w+(?=: \d+ found, \d+ reported$)/, (kind) =>
    Object.hasOwn(kindNames, kind) ? kindNames[kind as keyof typeof kindNames] : kind,
  );
