import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const command = new URL('./command.ts', import.meta.url).pathname;

test.runIf(process.platform !== 'darwin')(
  'away from a Mac, the first line names the options that work here',
  async () => {
    const env = { PATH: process.env.PATH };
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [command], { env }, (error, _, text) =>
        resolve({ code: error?.code, stderr: text }),
      );
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]* only on a Mac; [^\n]* --linux[^\n]* --stand-in[^\n]*\n$/);
  },
);
