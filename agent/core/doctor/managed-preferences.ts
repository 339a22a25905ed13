import type { ManagedConfig } from '#contract/deployment.ts';
import { type Check, notChecked, ok, problem } from './check.ts';
import { formatNames, toSentence } from './format.ts';

export interface ManagedFacts {
  os: string;
  path: string;
  reading:
    | { config: ManagedConfig; problems: string[] }
    | { error: string; kind: 'missing' | 'unreadable' | 'malformed' | 'invalid' };
  /** Files of the same name that device management created for single users. */
  userLevel: readonly string[];
}

const ID = 'managed-preferences';

/** The prefix of an API key that the console shows. */
export const keyPrefix = (key: string): string => `${key.slice(0, 12)}…`;

/** Whether the agent knows the URL of its control plane. */
export function checkManagedPreferences(facts: ManagedFacts): Check[] {
  const { path, reading } = facts;
  if ('error' in reading) return [checkError(facts, reading)];
  const { api_url, api_key } = reading.config;
  const seen = `${path} names the control plane ${api_url} and the API key ${keyPrefix(api_key)}.`;
  if (reading.problems.length === 0) return [ok(ID, seen)];
  const wrong = reading.problems.map((line) => line.replace(`${path}: `, ''));
  return [
    ok(ID, seen),
    problem(
      `${ID}-keys`,
      `Capture stays off, because of wrong values in ${path}: ${wrong.join('; ')}.`,
      'IT',
      'Correct these keys in the profile and deliver it again.',
    ),
  ];
}

function checkError(facts: ManagedFacts, { error, kind }: { error: string; kind: string }): Check {
  const { path, userLevel } = facts;
  switch (kind) {
    case 'missing':
      return userLevel.length > 0 ? userLevelProblem(path, userLevel) : missingFile(facts);
    case 'unreadable':
      return problem(
        ID,
        toSentence(error),
        'IT',
        `Make ${path} readable for the user that the agent runs as, and its folder as well.`,
      );
    case 'malformed':
      return problem(
        ID,
        toSentence(error),
        'IT',
        'Deliver the profile of the console again: the file was changed or cut off on its way.',
      );
    default:
      return problem(
        ID,
        toSentence(error),
        'IT',
        'Correct the key that is named in the profile and deliver it again.',
      );
  }
}

const missingFile = ({ os, path }: ManagedFacts): Check =>
  os === 'macos'
    ? problem(
        ID,
        `There is no file ${path}: the profile is not on this Mac.`,
        'IT',
        'Assign the profile to this device in device management, at the device level; it is there when `sudo profiles show` lists it.',
      )
    : problem(
        ID,
        `There is no file ${path}.`,
        'IT',
        'Write the managed configuration to this path, or name the right one in MANAGED_PREFERENCES.',
      );

const userLevelProblem = (path: string, userLevel: readonly string[]): Check =>
  problem(
    ID,
    `The profile is at the user level (${formatNames(userLevel)}), and the agent reads the device level, ${path}.`,
    'IT',
    'Assign the profile to the device instead of to users.',
  );

/** Results of the checks that need an address, if there is none. */
export const notCheckedWithoutAddress = (...ids: readonly string[]): Check[] =>
  ids.map((one) => notChecked(one, 'The address of the control plane is not known.'));
