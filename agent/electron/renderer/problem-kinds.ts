/** The kinds of problems that the window explains to the user. */
export type ProblemKind =
  | 'setup'
  | 'network'
  | 'identity'
  | 'storage'
  | 'observing'
  | 'inventory'
  | 'capturing'
  | 'refused'
  | 'coding'
  | 'telemetry'
  | 'checks'
  | 'other';

const kinds: Record<string, ProblemKind> = {
  'managed preferences': 'setup',
  configuration: 'setup',
  'control plane': 'network',
  channel: 'network',
  heartbeat: 'network',
  upload: 'network',
  'capture upload': 'network',
  'inventory upload': 'network',
  'policy check': 'network',
  enroll: 'identity',
  identity: 'identity',
  keys: 'identity',
  renewal: 'identity',
  'trusted roots': 'identity',
  state: 'storage',
  spool: 'storage',
  'capture spool': 'storage',
  flows: 'observing',
  'flow monitor': 'observing',
  'network extensions': 'observing',
  inventory: 'inventory',
  capture: 'capturing',
  'system trust': 'capturing',
  guard: 'refused',
  'coding agents': 'coding',
  'tool hooks': 'coding',
  'recording key': 'telemetry',
  'telemetry relay': 'telemetry',
  'mcp gateway': 'telemetry',
  cursor: 'telemetry',
  'tool calls': 'telemetry',
  'tool check': 'checks',
  'tool checks': 'checks',
  'tool policies': 'checks',
  'tool socket': 'checks',
};

/**
 * Returns the kind of a problem by the part of the agent at the start of its line, such as `capture
 * (proxy): …`.
 */
export function kindOfProblem(line: string): ProblemKind {
  const part = line.split(': ', 1)[0]?.replace(/ \(.*\)$/, '') ?? '';
  return Object.hasOwn(kinds, part) ? (kinds[part] ?? 'other') : 'other';
}

/** Groups the lines by kind; kinds are in the order of their first lines. */
export const problemsByKind = (lines: readonly string[]): [ProblemKind, string[]][] => [
  ...Map.groupBy(lines, kindOfProblem),
];
