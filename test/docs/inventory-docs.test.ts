import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { OWNER, startTestControlPlane } from '../support/control-plane.ts';

const page = join(import.meta.dirname, '../../docs/inventory.md');

test(
  'the commands on the page about the inventory run as written',
  { tags: ['curl'] },
  async () => {
    const text = await readFile(page, 'utf8');
    const commands = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
    expect(commands).toHaveLength(4);
    const service = await startTestControlPlane('sqlite');
    const { token } = await service.by({}).identity.login({ body: OWNER });
    const env = { PATH: process.env.PATH, GATEHOUSE: service.urls.public, TOKEN: token };
    for (const command of commands)
      await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', command], { env });
    const { results } = await service.byOwner.inventoryRules.listInventoryRules({ query: {} });
    expect(results.map(({ name, action }) => [name, action])).toEqual([
      ['Claude Code is up to date', 'block'],
      ['No instruction file that runs commands', 'incident'],
      ['Only known MCP servers', 'incident'],
    ]);
    await service.stop();
  },
);
