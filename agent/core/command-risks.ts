import { isPinned, launchText, readLaunch } from './recognition/launch.ts';
import type { RiskFlag } from './risk-flags.ts';
import {
  pipedDownload,
  isCleartext,
  sendsData,
  approvalBypassOption,
  wordContainsSecret,
} from './risk-signs.ts';

/** Long enough for real commands; limits the time of a search. */
const MAX_COMMAND_LENGTH = 8000;

/** The words of a shell command without quotes, and without variables set before it. */
function wordsOfLine(line: string): string[] {
  const words = line
    .slice(0, MAX_COMMAND_LENGTH)
    .split(/\s+/)
    .map((word) => word.replaceAll(/["']/g, ''))
    .filter((word) => word !== '');
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  return start < 0 ? [] : words.slice(start);
}

/** Program and package of a shell command, without path and arguments, which may be secret. */
export function redactCommand(line: string): string {
  const [program = '', ...args] = wordsOfLine(line);
  return launchText(readLaunch(program, args));
}

/** Risks of a shell command that a program runs automatically. */
export function flagsOfCommand(line: string): RiskFlag[] {
  const clipped = line.slice(0, MAX_COMMAND_LENGTH);
  const [program = '', ...args] = wordsOfLine(line);
  const launched = readLaunch(program, args).package;
  const words = clipped.split(/\s+/).map((word) => word.replaceAll(/["']/g, ''));
  const rules: readonly [RiskFlag, boolean][] = [
    ['runs_commands', true],
    ['remote_fetch_exec', pipedDownload.test(clipped) || launched?.source === 'remote'],
    ['unpinned_dependency', launched !== undefined && !isPinned(launched)],
    ['sends_data', sendsData(clipped)],
    ['plaintext_secret', words.some((word, i) => wordContainsSecret(word, words[i - 1]))],
    ['cleartext_endpoint', words.some(isCleartext)],
    ['bypass_permissions', words.some((word) => approvalBypassOption.test(word))],
  ];
  return rules.filter(([, holds]) => holds).map(([flag]) => flag);
}

/** Risks of a URL that a program calls automatically on an event. */
export const flagsOfEndpoint = (address: string): RiskFlag[] => [
  'sends_data',
  ...(isCleartext(address) ? (['cleartext_endpoint'] as const) : []),
];
