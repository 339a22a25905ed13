import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { clientsInCi } from '../clients/clients.ts';
import { isInstalled } from '../clients/environment.ts';
import { hasClients } from '../sdk/python/clients-environment.ts';
import { findOldestPython, oldestPythonVersion } from '../sdk/python/oldest-python.ts';
import { findChromium } from './chromium.ts';
import { findPostgres } from './postgres-program.ts';
import { canMakeDisks } from './small-disk.ts';

/** A tool that some tests need and a machine may lack. */
interface Tool {
  name: string;
  isHere: () => boolean | Promise<boolean>;
  /** How to install it. */
  remedy: string;
  /** Selects the tests that need it; by default those with its name as a tag. */
  neededBy?: (test: { fullName: string; tags: readonly string[] }) => boolean;
  /**
   * True for a privilege of the user, or a program that is not in Debian stable: it may be missing
   * everywhere.
   */
  isOptional?: boolean;
}

/** The folders for administrators are not in the PATH of all users. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

const onPath = (command: string): boolean =>
  folders.some((folder) => existsSync(join(folder, command)));

const program = (name: string, debianPackage: string): Tool => ({
  name,
  isHere: () => onPath(name),
  remedy: `Debian and Ubuntu: sudo apt-get install ${debianPackage}`,
});

const isRoot = userInfo().uid === 0;

/** The id of the unprivileged user and group on Linux and macOS. */
const UNPRIVILEGED_ID = 65_534;

/**
 * Whether an unprivileged user can run the project, which is impossible if the checkout is in a
 * private folder.
 */
const canRunAsOtherUser = (): boolean =>
  isRoot &&
  spawnSync(process.execPath, ['--check', import.meta.filename], {
    uid: UNPRIVILEGED_ID,
    gid: UNPRIVILEGED_ID,
  }).status === 0;

/**
 * Whether this user can create and connect network namespaces. Tests this in a namespace that then
 * ends.
 */
const canJoinNetworks = (): boolean =>
  isRoot &&
  spawnSync('unshare', ['--net', 'ip', ...'link add near type veth peer name far'.split(' ')])
    .status === 0;

/** Whether this user can mount files in a separate namespace. */
const canMount = (): boolean =>
  isRoot && spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

const POSTGRES = /postgres/i;

const tools: readonly Tool[] = [
  {
    name: 'PostgreSQL',
    isHere: async () => Boolean(process.env.TEST_DATABASE_URL ?? (await findPostgres())),
    remedy: 'set TEST_DATABASE_URL to a server for tests; its binaries of npm do not run here',
    // Suites that run once for each database have its name in their title.
    neededBy: ({ fullName }) => POSTGRES.test(fullName),
  },
  {
    name: 'chromium',
    isHere: () => findChromium() !== undefined,
    remedy: 'npm test fetches it where it can; else install Chromium or set CHROMIUM_PATH',
  },
  program('openssl', 'openssl'),
  program('curl', 'curl'),
  program('python3', 'python3'),
  {
    name: 'python3-venv',
    isHere: () => spawnSync('python3', ['-c', 'import ensurepip']).status === 0,
    remedy: 'Debian and Ubuntu: sudo apt-get install python3-venv',
  },
  {
    name: 'oldest-python',
    isHere: () => findOldestPython() !== undefined,
    remedy: `install Python ${oldestPythonVersion}; in Debian 12, pypy3 is one`,
    isOptional: true,
  },
  {
    name: 'python-clients',
    isHere: hasClients,
    remedy: 'npm run python-clients, with python3-venv and PyPI',
    isOptional: true,
  },
  {
    name: 'real-clients',
    isHere: () => clientsInCi.every(isInstalled),
    remedy: 'npm run real-clients, with python3-venv, PyPI and the npm registry',
    isOptional: true,
  },
  program('lsof', 'lsof'),
  program('pgrep', 'procps'),
  program('nft', 'nftables'),
  program('swtpm', 'swtpm'),
  program('tpm2_unseal', 'tpm2-tools'),
  program('bsdtar', 'libarchive-tools'),
  program('7z', 'p7zip-full'),
  program('cpio', 'cpio'),
  program('plistutil', 'libplist-utils'),
  program('xmllint', 'libxml2-utils'),
  {
    name: 'small-disks',
    isHere: canMakeDisks,
    remedy: 'Linux, and the right to make user namespaces',
    isOptional: true,
  },
  { name: 'root', isHere: () => isRoot, remedy: 'run the tests as root', isOptional: true },
  {
    name: 'other-user',
    isHere: canRunAsOtherUser,
    remedy: 'run the tests as root, from a folder that every user may read',
    isOptional: true,
  },
  {
    name: 'networks',
    isHere: canJoinNetworks,
    remedy: 'Linux, root, iproute2, and the right to make network namespaces',
    isOptional: onPath('ip'),
  },
  {
    name: 'mounts',
    isHere: canMount,
    remedy: 'Linux, root, and the right to make mount namespaces',
    isOptional: true,
  },
  program('dpkg-deb', 'dpkg'),
  program('unsquashfs', 'squashfs-tools'),
  program('update-ca-certificates', 'ca-certificates'),
  { ...program('swift', 'swiftlang'), isOptional: true },
];

export interface MissingTool extends Tool {
  neededBy: NonNullable<Tool['neededBy']>;
}

const here = await Promise.all(tools.map(async ({ isHere }) => isHere()));

export const missingTools: readonly MissingTool[] = tools
  .filter((_, i) => !here[i])
  .map((tool) => ({ neededBy: ({ tags }) => tags.includes(tool.name), ...tool }));

export const isMissing = (name: string): boolean => missingTools.some((tool) => tool.name === name);

/** For vitest: tests with the tag of a tool that is missing are skipped. */
export const toolTags = tools
  .filter(({ neededBy }) => !neededBy)
  .map(({ name }) => ({ name, ...(isMissing(name) && { skip: true }) }));

/** For vitest: matches the names of the tests to run; undefined to run all tests. */
export const namesToRun = isMissing('PostgreSQL') ? /^(?!.*postgres)/is : undefined;
