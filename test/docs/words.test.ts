import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/processes.ts';

/**
 * Words that made code and messages hard to read, with what to write instead. They are looked for in
 * names, comments and messages of the product.
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

/** The parts of the product whose words are settled. */
const folders = ['contract', 'control-plane', 'installer', 'pki', 'profile-builder', 'sdk'];

/** Names that databases and other programs have. */
const isFixedName = (line: string): boolean => /asked_policies|policy_checks\.asked/.test(line);

const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|py)$/.test(file));

test.each(replacements)('%s is written as: %s', (word) => {
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        word.test(line) && !isFixedName(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
});
