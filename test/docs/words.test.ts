import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

/**
 * Words that make code and messages hard to read, with replacements. They are searched for in
 * names, comments and messages of the product, and in its documentation.
 */
const replacements: readonly [word: RegExp, instead: string][] = [
  [/\b(to)?told\b|\btold[A-Z]|Told\b/, 'notified, reported, recorded, sent'],
  [/\bminds?\b|\bminded\b|\bminding\b/, 'applies to, matches'],
  [/\bwhoever\b/i, 'any client, any caller, the process that …'],
  [/\bwhom\b/i, 'name the person or program'],
  [/\bnobody\b|\bsomebody\b/i, 'no one, no user, a user, a program'],
  [/\banew\b/i, 'again'],
  [/\bstanding\b|\bStanding/, 'status, limits, state'],
  [/\bhurry\b|\bstroll\b/i, 'flush, wake, run now'],
];

/** The same for the agent and the code that it shares with other programs. */
const agentReplacements: typeof replacements = [
  [/\b[aA]nybody\b/, 'any client, any user, a program'],
  [/\bdoors?\b|Doors?\b/, 'capture listener'],
  [/\bjudg(e[ds]?|ing)\b|\bjudge[A-Z]/, 'evaluate, check'],
  [/\bmost[A-Z]|\bMOST_/, 'max…, MAX_…'],
  [/IfThere\b/, '…IfExists'],
  [/\borNothing\b/, 'tryOrUndefined'],
  [/\b(withinMs|patienceMs|everyMs|lookMs)\b/, 'timeoutMs, intervalMs, pollMs'],
  [/\b(tell|say)[A-Z]/, 'report, notify, send'],
  [/\b(isLeftOut|leftOut|inTurn|putIntoForce)\b/, 'isExcluded, excluded, enqueue, activate'],
  [/\bkept[A-Z]|\bKept[A-Z]/, 'cache, stored'],
];

/** Whether a line contains a name of a wire format, database, user or other program. */
const isFixedName = (line: string): boolean => /\bdoors: |\.doors\.|'door-|`nobody`/.test(line);

/** Its words are given by a specification. */
const WORD_LIST = 'domain/redaction/private-keys/bip39-words.ts';

const listSources = (folders: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(ts|tsx|py|swift|md)$/.test(file) && file !== WORD_LIST);

const agentSources = listSources(['agent', 'domain']);
const sources = [
  ...agentSources,
  ...listSources([
    'contract',
    'control-plane',
    'lib',
    'installer',
    'pki',
    'profile-builder',
    'sdk',
    'docs',
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ]),
];

const linesWith = (word: RegExp, files: readonly string[]): string[] =>
  files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        word.test(line) && !isFixedName(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );

test.each(replacements)('%s is written as: %s', (word) => {
  expect(linesWith(word, sources)).toEqual([]);
});

test.each(agentReplacements)('in the agent, %s is written as: %s', (word) => {
  expect(linesWith(word, agentSources)).toEqual([]);
});
