import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSocketOwners } from './socket-owners.ts';

const LISTENING = `const server = require('node:net').createServer();
server.listen(0, '127.0.0.1', () => console.log('up'));`;

function inodesOf(pid: number): number[] {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []).map(Number);
}

describe.skipIf(!existsSync('/proc/self/fd'))('socket owners', () => {
  test('finds the process of a socket, and no process once it has ended', async () => {
    const child = spawn(process.execPath, ['-e', LISTENING]);
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

  test('finds nothing if there are no processes', () => {
    expect(createSocketOwners(import.meta.dirname).find(new Set([1]))).toEqual(new Map());
  });
});

/** A folder like /proc, with methods that change it. */
class Machine implements Disposable {
  readonly proc = mkdtempSync(join(tmpdir(), 'proc-'));

  start(pid: number, files = 3): void {
    mkdirSync(join(this.proc, `${pid}/fd`), { recursive: true });
    const fields = Array.from({ length: 20 }, (_, i) => i).join(' ');
    writeFileSync(join(this.proc, `${pid}/stat`), `${pid} (p) ${fields} started-${pid}`);
    writeFileSync(join(this.proc, `${pid}/comm`), `p${pid}\n`);
    for (let fd = 0; fd < files; fd++) this.open(pid, fd, '/dev/null');
  }

  open(pid: number, fd: number, target: string): void {
    this.close(pid, fd);
    symlinkSync(target, join(this.proc, `${pid}/fd/${fd}`));
  }

  close(pid: number, fd: number): void {
    rmSync(join(this.proc, `${pid}/fd/${fd}`), { force: true });
  }

  end(pid: number): void {
    rmSync(join(this.proc, String(pid)), { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.proc, { recursive: true });
  }
}

/** Returns the number of processes and steps that the search needs to find the owner. */
function stepsTo(owners: ReturnType<typeof createSocketOwners>, inode: number) {
  const search = owners.search(new Set([inode]));
  for (let steps = 0; ; steps++) {
    const { done, value } = search.next();
    if (done) return { steps, pid: value.get(inode)?.pid };
  }
}

describe('the order of the search', () => {
  test('starts with descriptors that were such a socket, then new processes', () => {
    using machine = new Machine();
    for (let pid = 100; pid < 140; pid++) machine.start(pid);
    const owners = createSocketOwners(machine.proc);
    machine.open(103, 7, 'socket:[1]');
    expect(stepsTo(owners, 1)).toEqual({ steps: 37, pid: 103 });
    machine.open(103, 7, 'socket:[2]');
    expect(stepsTo(owners, 2)).toEqual({ steps: 1, pid: 103 });
    // Older than the others by its number, because numbers restart from the lowest.
    machine.start(50);
    machine.open(50, 3, 'socket:[3]');
    expect(stepsTo(owners, 3)).toEqual({ steps: 2, pid: 50 });
    // A new descriptor of a process that held sockets before.
    machine.open(103, 8, 'socket:[4]');
    expect(stepsTo(owners, 4)).toEqual({ steps: 4, pid: 103 });
    // A descriptor that was another file at the last search.
    machine.open(103, 1, 'socket:[5]');
    expect(stepsTo(owners, 5)).toEqual({ steps: 5, pid: 103 });
  });

  test('does not count a process as new that has existed for some time', () => {
    using machine = new Machine();
    let time = 0;
    const owners = createSocketOwners(machine.proc, () => time);
    for (let pid = 100; pid < 110; pid++) machine.start(pid);
    owners.find(new Set([1]));
    machine.start(50);
    owners.find(new Set([1]));
    time = 60_000;
    machine.open(50, 3, 'socket:[1]');
    expect(stepsTo(owners, 1)).toEqual({ steps: 11, pid: 50 });
  });

  test('finds every socket of a process, whatever happened before', () => {
    const pids = fc.integer({ min: 1, max: 6 });
    const fds = fc.integer({ min: 0, max: 5 });
    const step = fc.oneof(
      fc.record({ what: fc.constant('start' as const), pid: pids, fd: fds }),
      fc.record({ what: fc.constant('end' as const), pid: pids, fd: fds }),
      fc.record({ what: fc.constant('close' as const), pid: pids, fd: fds }),
      fc.record({ what: fc.constant('socket' as const), pid: pids, fd: fds }),
      fc.record({ what: fc.constant('file' as const), pid: pids, fd: fds }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        using machine = new Machine();
        const owners = createSocketOwners(machine.proc);
        const held = new Map<number, Map<number, number>>();
        let inode = 0;
        for (const { what, pid, fd } of steps) {
          if (what === 'start' && !held.has(pid)) {
            machine.start(pid, 0);
            held.set(pid, new Map());
          }
          const sockets = held.get(pid);
          if (!sockets || what === 'start') continue;
          sockets.delete(fd);
          if (what === 'end') machine.end(pid);
          if (what === 'end') held.delete(pid);
          if (what === 'close') machine.close(pid, fd);
          if (what === 'file') machine.open(pid, fd, '/dev/null');
          if (what === 'socket') machine.open(pid, fd, `socket:[${++inode}]`);
          if (what === 'socket') sockets.set(fd, inode);
          const expected = [...held].flatMap(([id, of]) =>
            [...of.values()].map((n) => [n, id] as const),
          );
          const all = new Set(Array.from({ length: inode }, (_, i) => i + 1));
          const found = [...owners.find(all)].map(([n, owner]) => [n, owner.pid] as const);
          expect(new Map(found)).toEqual(new Map(expected));
        }
      }),
      { numRuns: 30 },
    );
  });
});
