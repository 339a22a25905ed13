import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const command = new URL('./command.ts', import.meta.url).pathname;

async function run(args: string[], set: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, ...set };
  return new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [command, ...args], { env }, (error, _, text) =>
      resolve({ code: error?.code, stderr: text }),
    );
  });
}

test.runIf(process.platform !== 'darwin')(
  'away from a Mac, the first line names the options that work here',
  async () => {
    const { code, stderr } = await run([]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]* only on a Mac; [^\n]* --linux[^\n]* --stand-in[^\n]*\n$/);
  },
);

test.runIf(process.platform === 'linux')(
  'a folder without Electron is named with its variable, and nothing is built',
  async () => {
    const set = { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' };
    const { code, stderr } = await run(['--linux', '--out', '/nonexistent/out'], set);
    expect([code, stderr]).toEqual([
      1,
      'ELECTRON_OVERRIDE_DIST_PATH: expected the folder of an unpacked Electron, found no electron in /nonexistent\n',
    ]);
  },
);
