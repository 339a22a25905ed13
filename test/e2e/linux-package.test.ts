import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDeb } from '#agent/packaging/linux/deb.ts';
import { linuxNames } from '#agent/packaging/linux/names.ts';
import { capabilities, configured } from '#agent/packaging/linux/unit.ts';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { createNetworks, internet, type Network } from '../support/capture-world/network.ts';
import { API_KEY, OWNER } from '../support/control-plane.ts';
import {
  built,
  pollUntil,
  type Program,
  startProgram,
  startCommand,
} from '../support/processes.ts';

const names = linuxNames('Lookout', 'com.example.lookout');
const PORT = '8080';
const deviceUrl = `https://${internet.first}:8443`;
const tags = ['networks', 'mounts', 'dpkg-deb', 'nft', 'update-ca-certificates'];

/**
 * A Debian package on a simulated computer: an overlay over all files of this system collects every
 * change, and the network is that of the device.
 */
describe('the package for Linux', { tags }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'linux-package-'));
  const layer = '/mnt';
  const system = `${layer}/system`;
  let network: Network;
  let controlPlane: Program;
  let deb: string;

  const inNamespace = (...command: string[]): string =>
    execFileSync(network.onDevice[0] as string, [...network.onDevice.slice(1), ...command], {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const onSystem = (...command: string[]): string => inNamespace('chroot', system, ...command);
  /**
   * Waits for the lock of dpkg, as apt does. The agent can hold it: update-ca-certificates runs
   * `dpkg --triggers-only` for the certificates of Java.
   */
  const dpkg = async (...args: string[]): Promise<void> => {
    await pollUntil(
      () => errorOf(() => onSystem('dpkg', ...args)),
      (error) => {
        if (String(error).includes('locked by another process')) return false;
        if (error) throw error;
        return true;
      },
    );
  };
  const place = (path: string): string => network.pathOnDevice(join(system, path));
  const client = (headers: Record<string, string>) =>
    createClient(contract, {
      baseUrl: `http://${network.address}:${PORT}`,
      headers: () => headers,
      fetch,
    });
  const answersReady = (): Promise<boolean> =>
    fetch(`http://${network.address}:${PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const listTrust = (): string[] =>
    readdirSync(place('/usr/local/share/ca-certificates')).filter((name) =>
      name.startsWith('gatehouse-'),
    );

  beforeAll(async () => {
    network = await createNetworks();
    deb = await makeDeb({ names, output: folder, work: folder, compression: 'none' });
    const { size } = statSync(deb);
    inNamespace('mount', '-t', 'tmpfs', '-o', `size=${size * 4}`, 'tmpfs', layer);
    inNamespace('mkdir', `${layer}/upper`, `${layer}/work`, system);
    const layers = `lowerdir=/,upperdir=${layer}/upper,workdir=${layer}/work`;
    inNamespace('mount', '-t', 'overlay', '-o', layers, 'overlay', system);
    inNamespace('mount', '--rbind', '/proc', `${system}/proc`);
    inNamespace('mount', '--rbind', '/dev', `${system}/dev`);
    mkdirSync(place('/root/given'), { recursive: true });
    writeFileSync(place('/etc/hosts'), `${internet.second} claude.ai\n`);
    controlPlane = startProgram(
      built.controlPlane,
      {
        HOST: '0.0.0.0',
        PORT,
        DEVICE_PORT: '8443',
        PUBLIC_URL: `http://${internet.first}:${PORT}`,
        DEVICE_URL: deviceUrl,
        DATA_DIR: join(folder, 'data'),
        APP_BUNDLE_ID: names.bundleId,
        APPLE_TEAM_ID: 'GATEHOUSE1',
        BOOTSTRAP_API_KEY: API_KEY,
        BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
        BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
      },
      network.onInternet,
    );
    await pollUntil(answersReady, (isReady) => isReady);
    execFileSync('cp', [deb, place('/root/given/agent.deb')]);
  });
  afterAll(async () => {
    await controlPlane?.stop();
    await network?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('contains the runtime files, owned by root, and no sources', () => {
    const listed = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' });
    const entries = listed
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/));
    expect(entries.filter(([, owner]) => owner !== 'root/root')).toEqual([]);
    const modes = new Map(entries.map(([mode, , , , , path]) => [path, mode]));
    expect(modes.get('./opt/lookout/node')).toBe('-rwxr-xr-x');
    expect(modes.get('./usr/bin/lookout-agent')).toBe('-rwxr-xr-x');
    expect(modes.get('./usr/lib/systemd/system/lookout-agent.service')).toBe('-rw-r--r--');
    const paths = [...modes.keys()].filter((path) => path?.startsWith('./opt/lookout/agent/'));
    expect(
      paths.filter((path) => !/(\/|\.js|\.json|\.node|LICENSE\.txt)$/.test(path ?? '')),
    ).toEqual([]);
  });

  test('is installed without questions, and starts with the system', async () => {
    await dpkg('--install', '/root/given/agent.deb');
    expect(
      readlinkSync(place('/etc/systemd/system/multi-user.target.wants/lookout-agent.service')),
    ).toMatch(/\/lookout-agent\.service$/);
    expect(onSystem('systemd-analyze', 'verify', names.unit)).toBe('');
  });

  test('applies a profile, whose key only root can read', async () => {
    const profile = await client({ 'X-Svc-Key': API_KEY }).deployment.getMdmProfile({
      query: { hosts: 'claude.ai' },
    });
    writeFileSync(place('/root/given/Lookout.mobileconfig'), profile);
    onSystem(names.packageName, 'apply-profile', '/root/given/Lookout.mobileconfig');
    expect(statSync(place(names.managedPreferences)).mode & 0o777).toBe(0o600);
    expect(readFileSync(place(names.trustedRoots), 'utf8')).toMatch(/^-----BEGIN CERTIFICATE/);
  });

  test('enrolls and captures with the privileges of its service; while running, it can be replaced but not removed', async () => {
    const allowed = capabilities.map((name) => `+${name.replace('CAP_', '').toLowerCase()}`);
    const rights = ['setpriv', `--bounding-set=-all,${allowed.join(',')}`, '--no-new-privs'];
    // Privileges are dropped inside the changed root, because `chroot` needs one that the service
    // does not have.
    const start = (): Program =>
      startCommand([...network.onDevice, 'chroot', system, ...rights, names.command]);
    const agent = start();
    const { token } = await client({}).identity.login({ body: OWNER });
    const owner = client({ Authorization: `Bearer ${token}` });
    const devices = async () => (await owner.devices.listDevices({ query: {} })).results;
    await expect.poll(devices).toMatchObject([{ online: true, status: 'active' }]);
    await expect.poll(listTrust).toHaveLength(1);
    await expect.poll(() => inNamespace('nft', 'list', 'tables')).toContain('table');
    await dpkg('--install', '/root/given/agent.deb');
    await expect(dpkg('--remove', names.packageName)).rejects.toThrow(/still runs \(process/);
    expect(agent.child.exitCode).toBeNull();
    expect(await agent.stop()).toBe(0);
    await expect.poll(() => inNamespace('nft', 'list', 'tables')).toBe('');
  });

  test('after removal the system does not trust its root, and the state is kept for a reinstallation', async () => {
    expect(listTrust()).toHaveLength(1);
    // As systemd does at the start of the service, which the test starts without systemd.
    for (const folder of configured) mkdirSync(place(`/etc/${folder}`), { recursive: true });
    await dpkg('--remove', names.packageName);
    expect(listTrust()).toEqual([]);
    expect(readdirSync(place(names.state))).not.toEqual([]);
    expect(readdirSync(place('/etc/systemd/system/multi-user.target.wants'))).not.toContain(
      'lookout-agent.service',
    );
  });

  test('after a purge no file is left', async () => {
    await dpkg('--purge', names.packageName);
    const upper = network.pathOnDevice(`${layer}/upper`);
    expect(differences(upper, '/').filter((path) => !isOfTheSystem.test(path))).toEqual([]);
  });
});

/** Returns what `action` throws, or undefined. */
function errorOf(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Matches files written by dpkg and other programs, certificates that update-ca-certificates would
 * add or remove anyway, and files of the test itself.
 */
const isOfTheSystem =
  /^\/(var\/(lib\/dpkg|log|cache)|tmp|run|root\/(given|\.)|etc\/hosts|etc\/ssl\/certs\/(java\/|(?!gatehouse)[^/]+\.(pem|0)$))/;

/** Paths in the overlay that differ from the system below it. */
function differences(layer: string, below: string, path = ''): string[] {
  return readdirSync(join(layer, path)).flatMap((name) => {
    const inside = `${path}/${name}`;
    const [changed, before] = [join(layer, inside), join(below, inside)];
    const stats = lstatSync(changed);
    if (stats.isDirectory() && lstatSync(before, { throwIfNoEntry: false })?.isDirectory())
      return differences(layer, below, inside);
    return isSame(changed, before) ? [] : [inside];
  });
}

function isSame(one: string, other: string): boolean {
  const [here, there] = [one, other].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (here?.isFile() && there?.isFile()) return readFileSync(one).equals(readFileSync(other));
  return Boolean(
    here?.isSymbolicLink() && there?.isSymbolicLink() && readlinkSync(one) === readlinkSync(other),
  );
}
