import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startNft } from './nft.ts';
import type { Nft } from './nft.ts';

let folder: string;
let nft: Nft | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nft-'));
});

afterEach(async () => {
  vi.useRealTimers();
  await nft?.stop();
  rmSync(folder, { recursive: true });
});

/** Writes a program that replaces nft. */
function program(script: string): string {
  const file = join(folder, 'program');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Returns a script that reports each line as invalid, as nft does, and records its input. */
const repeating = (file: string): string =>
  `while read -r line; do echo "$line" >> '${file}'
case $line in gatehouse-*) printf 'Error: syntax error\\n%s\\n^^^\\n' "$line" >&2;; esac; done`;

describe('with the nft of this machine', { tags: ['nft', 'root'] }, () => {
  test('each response belongs to its line', async () => {
    nft = startNft('');
    const answers: unknown[] = [];
    for (const line of ['list chain inet none none', 'nonsense', 'list chain inet none none'])
      answers.push(await nft.run(line));

    const missing = 'nft: No such file or directory';
    expect(answers).toEqual([missing, expect.stringMatching(/^nft: syntax error/), missing]);
  });
});

test('a line without output has succeeded', async () => {
  nft = startNft('', program(repeating('/dev/null')));
  expect(await nft.run('one')).toBeUndefined();
  expect(await nft.run('two')).toBeUndefined();
});

test.each([
  ['that is not there', 'not-there', 'nft: not installed (package nftables)'],
  ['that ends', 'false', 'nft: exited unexpectedly'],
])('a program %s', async (_, command, problem) => {
  nft = startNft('', command);
  expect(await nft.run('one')).toBe(problem);
  expect(await nft.run('two')).toBe(problem);
  await nft.exited;
});

test('the message of a program that ends is reported', async () => {
  nft = startNft('', program('echo "netlink: Error: no memory" >&2; exit 1'));
  expect(await nft.run('one')).toBe('nft: no memory');
});

test('a program that does not respond is abandoned', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  nft = startNft('', program('exec sleep 1000'));
  const answer = nft.run('one');
  vi.advanceTimersByTime(5000);
  expect(await answer).toBe('nft: it does not answer');
  const ending = nft.stop();
  vi.advanceTimersByTime(5000);
  await ending;
});
