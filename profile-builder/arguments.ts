import { parseArgs } from 'node:util';
import {
  type HookFailMode,
  hookFailModes,
  type RecordingLevel,
  recordingLevels,
} from '#contract/guard.ts';
import { readHostList } from './capture-hosts.ts';
import { readSecret } from './config.ts';

export const USAGE =
  'usage: npm run --silent profile -- --api-url URL (--api-key KEY | --api-key-env NAME) ' +
  '--ca CA.pem --out FILE [--hosts a,b] [--payloads full] ' +
  `[--coding-agents ${recordingLevels.join('|')}] [--tool-checks ${hookFailModes.join('|')}] ` +
  '[--sign ID.p12 --sign-password-env NAME]';

/** Parsed arguments of one run. */
export interface Arguments {
  apiUrl: string;
  apiKey: string;
  ca: string[];
  out: string;
  hosts: string[];
  payloads: 'full' | undefined;
  codingAgents: RecordingLevel | undefined;
  toolChecks: HookFailMode | undefined;
  sign: { identity: string; password: string } | undefined;
}

const options = {
  'api-url': { type: 'string' },
  'api-key': { type: 'string' },
  'api-key-env': { type: 'string' },
  ca: { type: 'string', multiple: true },
  out: { type: 'string' },
  hosts: { type: 'string', multiple: true },
  payloads: { type: 'string' },
  'coding-agents': { type: 'string' },
  'tool-checks': { type: 'string' },
  sign: { type: 'string' },
  'sign-password-env': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Parses the arguments. Positional arguments are accepted here and rejected below, because Node's
 * own error would print a misplaced key.
 *
 * @throws Error with a one-line message
 */
export function readArguments(args: string[]): Arguments | 'help' {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  const { 'api-url': apiUrl, ca, out } = values;
  const apiKey = chooseApiKey(values['api-key'], values['api-key-env']);
  if (!apiUrl || !apiKey || !ca || !out || positionals.length > 0) throw new Error(USAGE);
  return {
    apiUrl,
    apiKey,
    ca,
    out,
    hosts: readHosts(values.hosts),
    payloads: readPayloads(values.payloads),
    codingAgents: readChoice('--coding-agents', values['coding-agents'], recordingLevels),
    toolChecks: readChoice('--tool-checks', values['tool-checks'], hookFailModes),
    sign: readSigning(values.sign, values['sign-password-env']),
  };
}

/**
 * Chooses between the literal key and an environment variable, which the process list does not
 * show. The variable's name is never printed, because it may be the key itself, given by mistake.
 */
function chooseApiKey(literal?: string, variable?: string): string | undefined {
  if (variable === undefined) return literal;
  if (literal !== undefined)
    throw new Error('expected one of --api-key and --api-key-env, found both');
  return readNamed('--api-key-env', variable);
}

function readNamed(option: string, variable: string): string {
  const secret = readSecret(variable);
  if (secret === null)
    throw new Error(`${option}: expected the name of a non-empty environment variable`);
  return secret;
}

function readHosts(lists: string[] | undefined): string[] {
  if (lists === undefined) return [];
  const read = readHostList(lists.join(','));
  if ('error' in read) throw new Error(`--hosts: ${read.error}`);
  return read.hosts;
}

function readPayloads(value: string | undefined): 'full' | undefined {
  if (value === undefined || value === 'full') return value;
  throw new Error(`--payloads: expected "full", found ${JSON.stringify(value)}`);
}

function readChoice<T extends string>(
  option: string,
  value: string | undefined,
  choices: readonly T[],
): T | undefined {
  const choice = choices.find((one) => one === value);
  if (value === choice) return choice;
  throw new Error(`${option}: expected ${choices.join(', ')}, found ${JSON.stringify(value)}`);
}

function readSigning(identity?: string, variable?: string): Arguments['sign'] {
  if (identity === undefined && variable === undefined) return undefined;
  if (identity === undefined || variable === undefined)
    throw new Error('expected --sign and --sign-password-env together, found one of them');
  return { identity, password: readNamed('--sign-password-env', variable) };
}
