import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { mcpConfigPlaces } from '#domain/app-catalog/mcp-config-places.ts';

const command = new URL('./command.ts', import.meta.url).pathname;

const run = (script: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const args = ['-c', script, 'sh', process.execPath, command];
    execFile('sh', args, { maxBuffer: 2 ** 25 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

test.each(['--help', '-h'])('%s prints the usage', async (flag) => {
  const { code, stdout, stderr } = await run(`"$1" "$2" ${flag}`);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^usage: [^]*\[-- --json\]\n/);
});

test.each(['', '--json'])('every path of an MCP configuration is listed: %s', async (flag) => {
  const { code, stdout } = await run(`"$1" "$2" ${flag}`);
  expect(code).toBe(0);
  for (const { homeFiles = [], projectFiles = [], systemFiles = {} } of mcpConfigPlaces)
    for (const path of [...homeFiles, ...projectFiles, ...Object.values(systemFiles).flat()])
      expect(stdout).toContain(path);
});

test('invalid arguments are refused with the usage', async () => {
  const { code, stdout, stderr } = await run('"$1" "$2" bogus');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Unexpected argument 'bogus'[^\n]*\nusage: /);
});

test.each(['', '--json'])('a reader of the output may exit early: %s', async (flag) => {
  const { stdout, stderr } = await run(`"$1" "$2" ${flag} | head -n 1`);
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toHaveLength(2);
});
