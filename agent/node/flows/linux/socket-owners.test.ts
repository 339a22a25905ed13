import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readlinkSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSocketOwners } from './socket-owners.ts';

const listening = `const server = require('node:net').createServer();
server.listen(0, '127.0.0.1', () => console.log('up'));`;

function inodesOf(pid: number): number[] {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []).map(Number);
}

describe.skipIf(!existsSync('/proc/self/fd'))('socket owners', () => {
  it('finds the process of a socket, and no more once it is gone', async () => {
    const child = spawn(process.execPath, ['-e', listening]);
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    const inode = inodesOf(pid).at(-1) ?? 0;
    const owners = createSocketOwners();
    const found = owners.find(new Set([inode, 1]));
    expect([...found]).toEqual([[inode, { pid, name: 'node', path: process.execPath }]]);
    expect(owners.find(new Set([inode])).get(inode)).toBe(found.get(inode));
    child.kill();
    await once(child, 'exit');
    expect(owners.find(new Set([inode]))).toEqual(new Map());
  });

  it('finds nothing where there are no processes', () => {
    expect(createSocketOwners(import.meta.dirname).find(new Set([1]))).toEqual(new Map());
  });
});
