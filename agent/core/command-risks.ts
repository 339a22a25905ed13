import {
  MAX_COMMAND_LENGTH,
  onlyCommand,
  splitCommands,
  splitWords,
} from './recognition/command-line.ts';
import { readLaunch } from './recognition/launch.ts';
import { isPinned } from './recognition/launched-package.ts';
import { launchText } from './recognition/launch-text.ts';
import { downloadsAndRuns } from './download-and-run.ts';
import type { RiskFlag } from './risk-flags.ts';
import { isCleartext, sendsData, approvalBypassOption, wordContainsSecret } from './risk-signs.ts';

/** Program and package of a shell command, without path and arguments, which may be secret. */
export const redactCommand = (line: string): string =>
  launchText(readLaunch(onlyCommand(line) ?? splitWords(line)));

/** Risks of a shell command that a program runs automatically. */
export function flagsOfCommand(line: string): RiskFlag[] {
  const clipped = line.slice(0, MAX_COMMAND_LENGTH);
  const launches = (splitCommands(line) ?? [splitWords(line)]).map((words) => readLaunch(words));
  const packages = launches.flatMap((launch) => launch.package ?? []);
  const words = launches.flatMap((launch) => launch.words);
  const rules: readonly [RiskFlag, boolean][] = [
    ['runs_commands', true],
    [
      'remote_fetch_exec',
      downloadsAndRuns(clipped) || packages.some(({ source }) => source === 'remote'),
    ],
    ['unpinned_dependency', packages.some((launched) => !isPinned(launched))],
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
