import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const program = new URL('./headless.ts', import.meta.url).pathname;
const dir = mkdtempSync(join(tmpdir(), 'apply-profile-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const applyProfile = (file: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = {
      PATH: process.env.PATH,
      HOME: dir,
      MANAGED_PREFERENCES: join(dir, 'settings/managed.plist'),
    };
    execFile(process.execPath, [program, 'apply-profile', file], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

test.runIf(process.platform === 'linux').each([
  ['{}', ': profile: expected a configuration profile as XML, found something else'],
  ['<plist><dict>', ': profile: expected a configuration profile as XML, found something else'],
  [null, ' cannot be read: ENOENT: no such file or directory'],
])('the file %j is refused with one line, and nothing is written', async (text, reason) => {
  const file = join(dir, 'Gatehouse.mobileconfig');
  if (text === null) rmSync(file, { force: true });
  else writeFileSync(file, text);
  expect(await applyProfile(file)).toEqual({ code: 1, stdout: '', stderr: `${file}${reason}\n` });
  expect(existsSync(join(dir, 'settings'))).toBe(false);
});
