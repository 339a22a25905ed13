import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_PATH } from '../../system-path.ts';
import type { DoctorSystem, Right } from './system.ts';

/** linux/capability.h */
const bits: Record<Right, bigint> = {
  CAP_SETGID: 6n,
  CAP_NET_ADMIN: 12n,
  CAP_NET_RAW: 13n,
  CAP_SYS_PTRACE: 19n,
};

export const linux: DoctorSystem = {
  sessionEnvironment: async () => ({}),
  proxies: async () => [],
  extensions: async () => null,
  networkConfigurations: async () => null,
  hasExtensions: () => false,
  nft: () => ({
    installed: SYSTEM_PATH.split(':').some((folder) => existsSync(join(folder, 'nft'))),
    kernel: release(),
    kernelIsNewEnough: isAtLeast(release(), 5, 12),
  }),
  missingRights: (pid, rights) => missingRights(pid, rights),
  canListSockets: () => existsSync('/proc/net/tcp'),
  // Docker, Podman, Kubernetes, libvirt, LXC, LXD, Incus, VirtualBox and VMware.
  bridgeName:
    /^(docker\d|br-[0-9a-f]{12}$|podman\d|cni|flannel|virbr\d|lxcbr\d|lxdbr\d|incusbr\d|vboxnet\d|vmnet\d)/,
  tunnelName: /^(tun|tap|wg|ppp|ipsec|tailscale|nordlynx|cscotun|gpd)\d*/,
};

/** `6.1.0-28-amd64` */
function isAtLeast(kernel: string, major: number, minor: number): boolean {
  const [ofMajor = 0, ofMinor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  return ofMajor > major || (ofMajor === major && ofMinor >= minor);
}

/** Any user may read the status of every process, unless /proc hides them (hidepid). */
function missingRights(pid: number, rights: readonly Right[]): string[] | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1]}`);
    return rights.filter((right) => (effective & (1n << bits[right])) === 0n);
  } catch {
    return null;
  }
}
