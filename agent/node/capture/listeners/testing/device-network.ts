import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startRemote } from './remote.ts';
import type { Methods, Remote } from './remote.ts';

/**
 * A device with its own internet for tests: two network namespaces, joined by a pair of virtual
 * interfaces. Changes to the network of the device affect no other network. Both namespaces end
 * when this process ends, however it ends. Tests that use it have the tag `networks`.
 */
export interface DeviceNetwork extends AsyncDisposable {
  device: Machine;
  internet: Machine;
}

export interface Machine {
  /** Runs a program to its end and returns its output. */
  run: (command: string, ...args: string[]) => string;
  start: (command: string, ...args: string[]) => ChildProcess;
  /** Starts one of the programs in this folder; `within` is a command that runs another one. */
  startRemote: <T extends Methods>(file: string, ...within: string[]) => Promise<Remote<T>>;
}

/** A PATH with the programs of administrators, which are not in every user's PATH. */
const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Documentation addresses (RFC 5737, RFC 3849). */
export const addresses = {
  device: ['192.0.2.1', '2001:db8::1'],
  internet: ['192.0.2.2', '192.0.2.3', '2001:db8::2', '2001:db8::3'],
} as const;

export async function bootDeviceNetwork(): Promise<DeviceNetwork> {
  const holders = [startNamespace(), startNamespace()] as const;
  const [device, internet] = await Promise.all(holders.map(async (each) => boot(await each)));
  if (!device || !internet) throw new Error('unreachable');
  const inner = ['near', 'type', 'veth', 'peer', 'name', 'far', 'netns', String(internet.pid)];
  device.run('ip', 'link', 'add', ...inner);
  for (const [machine, link] of [
    [device, 'near'],
    [internet, 'far'],
  ] as const) {
    for (const address of addresses[machine === device ? 'device' : 'internet']) {
      const isIpv6 = address.includes(':');
      const prefix = isIpv6 ? [`${address}/64`, 'nodad'] : [`${address}/24`];
      machine.run('ip', 'address', 'add', ...prefix, 'dev', link);
    }
    for (const each of ['lo', link]) machine.run('ip', 'link', 'set', each, 'up');
  }
  return {
    device,
    internet,
    async [Symbol.asyncDispose]() {
      await Promise.all([device.stop(), internet.stop()]);
    },
  };
}

async function startNamespace(): Promise<ChildProcess> {
  const holder = spawn('unshare', ['-n', 'cat'], { stdio: ['pipe', 'ignore', 'inherit'] });
  const networkOf = (id: number | string) =>
    execFileSync('readlink', [`/proc/${id}/ns/net`], { encoding: 'utf8' });
  const ours = networkOf('self');
  while (networkOf(holder.pid ?? 0) === ours) await wait(5);
  return holder;
}

function boot(holder: ChildProcess) {
  const inside = ['-t', String(holder.pid), '-n'];
  const started: ChildProcess[] = [holder];
  const track = (child: ChildProcess): ChildProcess => {
    started.push(child);
    return child;
  };
  return {
    pid: holder.pid ?? 0,
    run: (command: string, ...args: string[]) =>
      execFileSync('nsenter', [...inside, command, ...args], {
        encoding: 'utf8',
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    start: (command: string, ...args: string[]) =>
      track(spawn('nsenter', [...inside, command, ...args], { env })),
    startRemote: <T extends Methods>(file: string, ...within: string[]) => {
      const program = join(import.meta.dirname, file);
      const command = [...inside, ...within, process.execPath, program];
      const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
      return startRemote<T>(track(spawn('nsenter', command, { stdio })));
    },
    async stop() {
      for (const child of started) child.kill('SIGKILL');
      if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
    },
  };
}
