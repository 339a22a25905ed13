import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';

/**
 * Another host: flows to loopback are not observed, so a real flow needs a second host. Tests with
 * it have the tags `networks` and `openssl`.
 */
export interface OtherHost {
  address: string;
  /** Starts a TLS server on port 443 that echoes all data. */
  serveTls(): Promise<void>;
  remove(): void;
}

const ip = (...args: string[]): void =>
  void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

let made = 0;

/** The subnets with four addresses in 10.250.0.0/16. Tests of capture use 10.200 to 10.249. */
const SUBNETS = 16_384;

/**
 * Returns the addresses of a subnet that no interface has. A run that was killed leaves its
 * interfaces behind, and the kernel would route to the older one.
 */
function freeSubnet(): (host: 1 | 2) => string {
  const interfaces = execFileSync('ip', ['-o', '-4', 'addr'], { encoding: 'utf8' });
  for (let candidate = process.pid; ; candidate += 1) {
    const first = (candidate % SUBNETS) * 4;
    const address = (host: 1 | 2): string => `10.250.${first >> 8}.${(first & 0xff) + host}`;
    if (!interfaces.includes(` ${address(1)}/30 `)) return address;
  }
}

/** Creates another host: a network namespace at the other end of a virtual Ethernet pair. */
export function makeOtherHost(): OtherHost {
  made += 1;
  const id = `${process.pid.toString(36)}${made}`;
  const [name, near, far] = [`gh-${id}`, `ghn${id}`, `ghf${id}`];
  const host = freeSubnet();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-host-'));
  const children: ChildProcess[] = [];
  ip('netns', 'add', name);
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name);
  ip('addr', 'add', `${host(1)}/30`, 'dev', near);
  ip('link', 'set', near, 'up');
  ip('-n', name, 'addr', 'add', `${host(2)}/30`, 'dev', far);
  ip('-n', name, 'link', 'set', far, 'up');
  return {
    address: host(2),
    async serveTls() {
      const key = join(folder, 'key.pem');
      const certificate = join(folder, 'certificate.pem');
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
        ].concat(['-keyout', key, '-out', certificate, '-subj', '/CN=other host', '-days', '2']),
        { stdio: 'ignore' },
      );
      const program = join(import.meta.dirname, 'echo-server.ts');
      const child = spawn(
        'ip',
        ['netns', 'exec', name, process.execPath, program, host(2), key, certificate],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      children.push(child);
      await once(child.stdout, 'data');
    },
    remove() {
      for (const child of children) child.kill('SIGKILL');
      ip('netns', 'del', name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
