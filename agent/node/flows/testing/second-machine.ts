import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A second machine for tests: a network namespace joined to this one by a pair of virtual
 * interfaces. It ends when this process ends, however it ends, so that no namespace or interface is
 * left behind. Tests that use it have the tag `networks`.
 */
export interface SecondMachine extends AsyncDisposable {
  /** The addresses of this machine (`here`) and of the second one (`there`). */
  here: string;
  there: string;
  there6: string;
  /** Runs a program on the second machine. It ends with that machine. */
  start: (command: string, args: string[], options?: SpawnOptions) => ChildProcess;
}

export async function bootSecondMachine(): Promise<SecondMachine> {
  const namespaceProcess = spawn('unshare', ['-n', 'cat'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const pid = namespaceProcess.pid ?? 0;
  await untilInOwnNetwork(pid);
  const inside = ['-t', String(pid), '-n'];
  const block = `10.${200 + (process.pid % 50)}.${(process.pid >> 6) % 250}`;
  const block6 = `fd00:${(process.pid & 0xffff).toString(16)}`;
  const [near, far] = [`gh${pid}a`, `gh${pid}b`];
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', String(pid));
  ip('address', 'add', `${block}.1/30`, 'dev', near);
  ip('-6', 'address', 'add', `${block6}::1/64`, 'dev', near, 'nodad');
  ip('link', 'set', near, 'up');
  const runRemotely = (...args: string[]) => execFileSync('nsenter', [...inside, 'ip', ...args]);
  runRemotely('link', 'set', 'lo', 'up');
  runRemotely('address', 'add', `${block}.2/30`, 'dev', far);
  runRemotely('-6', 'address', 'add', `${block6}::2/64`, 'dev', far, 'nodad');
  runRemotely('link', 'set', far, 'up');

  const started: ChildProcess[] = [];
  return {
    here: `${block}.1`,
    there: `${block}.2`,
    there6: `${block6}::2`,
    start(command, args, options = {}) {
      const child = spawn('nsenter', [...inside, command, ...args], options);
      started.push(child);
      return child;
    },
    async [Symbol.asyncDispose]() {
      for (const child of [...started, namespaceProcess]) child.kill('SIGKILL');
      if (namespaceProcess.exitCode === null && namespaceProcess.signalCode === null)
        await once(namespaceProcess, 'exit');
    },
  };
}

function ip(...args: string[]): void {
  execFileSync('ip', args);
}

async function untilInOwnNetwork(pid: number): Promise<void> {
  const networkOf = (id: number | string) =>
    execFileSync('readlink', [`/proc/${id}/ns/net`], { encoding: 'utf8' });
  const ours = networkOf('self');
  while (networkOf(pid) === ours) await wait(5);
}
