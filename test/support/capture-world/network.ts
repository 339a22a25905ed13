import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A device and a simulated internet, each with its own network and mount namespaces. This machine,
 * on which the control plane runs, reaches the internet; only the network of the device is
 * redirected. The namespaces exist until the processes in them end, which is when this process
 * ends. Tests with them have the tag `networks`.
 */
export interface Network extends AsyncDisposable {
  /** The address of this machine as seen from the internet. */
  address: string;
  /** The prefix of a command that runs in the namespace of the internet, for `startProgram`. */
  onInternet: string[];
  onDevice: string[];
  /**
   * The path of a file of the device as seen from this machine; the device may have its own disks.
   */
  pathOnDevice: (file: string) => string;
}

/** Addresses for documentation (RFC 5737, RFC 3849), which no real network uses. */
export const internet = { first: '192.0.2.2', second: '192.0.2.3', ipv6: '2001:db8::2' };
const device = { ipv4: '192.0.2.1', ipv6: '2001:db8::1' };

export async function createNetworks(): Promise<Network> {
  const [near, far] = await Promise.all([createNamespaces(), createNamespaces()]);
  const [onDevice, onInternet] = [nsenterCommand(near), nsenterCommand(far)];
  const id = far.pid ?? 0;
  const block = `10.${200 + (Math.floor(id / 250) % 50)}.${id % 250}`;
  const link = `gh${id}`;
  connect([], link, far, 'host');
  connect(onInternet, 'device', near, 'internet');
  addAddresses([], link, `${block}.1/30`);
  addAddresses(onInternet, 'host', `${block}.2/30`);
  addAddresses(onInternet, 'device', `${internet.first}/24`, `${internet.second}/24`);
  addAddresses(onInternet, 'device', `${internet.ipv6}/64`);
  addAddresses(onDevice, 'internet', `${device.ipv4}/24`, `${device.ipv6}/64`);
  for (const network of [onDevice, onInternet]) ip(network, 'link', 'set', 'lo', 'up');
  return {
    address: `${block}.2`,
    onInternet,
    onDevice,
    pathOnDevice: (file) => join(`/proc/${near.pid}/root`, file),
    async [Symbol.asyncDispose]() {
      for (const holder of [near, far]) {
        const gone = once(holder, 'exit');
        holder.kill('SIGKILL');
        await gone;
      }
    },
  };
}

async function createNamespaces(): Promise<ChildProcess> {
  const holder = spawn('unshare', ['--net', '--mount', 'cat'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  while (networkOf(holder.pid ?? 0) === networkOf('self')) await wait(5);
  return holder;
}

const networkOf = (id: number | string): string =>
  execFileSync('readlink', [`/proc/${id}/ns/net`], { encoding: 'utf8' });

const nsenterCommand = ({ pid }: ChildProcess): string[] => [
  'nsenter',
  '--target',
  String(pid),
  '--net',
  '--mount',
];

/** Connects two networks with a pair of virtual Ethernet devices. */
function connect(from: string[], name: string, other: ChildProcess, nameThere: string): void {
  const there = ['peer', 'name', nameThere, 'netns', String(other.pid)];
  ip(from, 'link', 'add', name, 'type', 'veth', ...there);
}

function addAddresses(to: string[], name: string, ...addresses: string[]): void {
  for (const address of addresses) {
    const isIpv6 = address.includes(':');
    ip(to, 'address', 'add', address, 'dev', name, ...(isIpv6 ? ['nodad'] : []));
  }
  ip(to, 'link', 'set', name, 'up');
}

function ip(where: string[], ...args: string[]): void {
  const [command = '', ...rest] = [...where, 'ip', ...args];
  execFileSync(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
}
