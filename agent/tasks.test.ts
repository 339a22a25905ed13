import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const program = new URL('./headless.ts', import.meta.url).pathname;
const dir = mkdtempSync(join(tmpdir(), 'tasks-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const run = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: dir,
      AGENT_STATE_DIR: join(dir, 'state'),
      AGENT_SYSTEM_TRUST: 'off',
      // Help must not depend on valid settings.
      AGENT_PROXY_PORT: 'wrong',
    };
    execFile(process.execPath, [program, ...args], { env, timeout: 20_000 }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), stdout: out, stderr: err }),
    );
  });

test.each(['--help', '-h'])('%s lists the commands', async (flag) => {
  const { code, stdout, stderr } = await run(flag);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^usage: \[COMMAND\]\n[^]*\n {2}doctor \[--json\] [^]*\n {2}uninstall \[--purge\] /,
  );
});

test.each([['doctor'], ['uninstall']])('%s --help prints its usage', async (name) => {
  const { code, stdout, stderr } = await run(name, '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`^usage: ${name} \\[`));
});

const applyProfileMistakes: [string[], RegExp][] = [
  [
    ['apply-profile'],
    /^apply-profile: missing argument, expected FILE\nusage: apply-profile FILE\n/,
  ],
  [['apply-profile', 'a', 'b'], /^apply-profile: unexpected argument a b\nusage: /],
];

test.each<[string[], RegExp]>([
  [['bogus'], /^unknown command: bogus\nusage: \[COMMAND\]\n/],
  [['uninstal', '--purge'], /^unknown command: uninstal\nusage: /],
  [['--purge'], /^unknown command: --purge\nusage: /],
  [['bogus', 'uninstall', '--purge'], /^unknown command: bogus\n/],
  [['doctor', '--jsn'], /^doctor: unexpected argument --jsn\nusage: doctor \[--json\]\n/],
  [['hook'], /^hook: the name of a client is missing\nusage: hook /],
  [['mcp'], /^mcp: a command is missing after `--`\nusage: mcp /],
  [['mcp', '--closed', '--'], /^mcp: a command is missing after `--`\nusage: mcp /],
  [['mcp', '--open', '--', 'x'], /^mcp: unexpected argument --open -- x\nusage: mcp /],
  ...(process.platform === 'linux' ? applyProfileMistakes : []),
  [['uninstall', 'x'], /^uninstall: unexpected argument x\nusage: uninstall /],
])('%j starts nothing', async (args, text) => {
  expect(await run(...args)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(text) as string,
  });
  expect(existsSync(join(dir, 'state'))).toBe(false);
});
