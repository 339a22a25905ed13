import {
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentConfig } from '#agent/config.ts';
import { errnoOf, readIfExists } from './atomic-file.ts';
import { isLockText } from './lock.ts';
import { isSpoolFile } from '../reports/segment-file.ts';
import { peekRecord } from './state.ts';
import { isDefaultFolder, stateEntries } from './state-folder.ts';

/** A state folder that may be purged: its path without symlinks, or null if it does not exist. */
export interface Purgeable {
  configuredPath: string;
  realPath: string | null;
}

/**
 * Checks that a folder is a state folder of this agent before anything in it is removed:
 * AGENT_STATE_DIR may name any folder by mistake. Returns a one-line error if it is not.
 */
export function checkPurgeable(config: AgentConfig): Purgeable | { error: string } {
  const configuredPath = config.stateDir;
  const realPath = resolveFolder(configuredPath);
  if (realPath === null) return { configuredPath, realPath };
  const stat = statSync(realPath);
  if (!stat.isDirectory()) return { error: `${configuredPath} is not a folder` };
  if (isProtectedFolder(realPath)) return { error: noStateFolder(realPath) };
  const uid = userInfo().uid;
  if (stat.uid !== uid)
    return { error: `${realPath} belongs to user ${stat.uid}, not to ${uid}: nothing is removed` };
  if (!isDefaultFolder(config) && !isStateFolder(realPath))
    return {
      error: `${realPath} does not look like a state folder of this agent: nothing is removed`,
    };
  return { configuredPath, realPath };
}

const noStateFolder = (folder: string): string =>
  `${folder} is not a state folder: nothing is removed`;

/** Returns an error if AGENT_STATE_DIR names a folder that no user may purge. */
export function findSharedFolder(config: AgentConfig): string | null {
  try {
    const realPath = resolveFolder(config.stateDir);
    return realPath !== null && isProtectedFolder(realPath) ? noStateFolder(realPath) : null;
  } catch {
    return null; // this user may not enter one of its parent folders
  }
}

function resolveFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns whether the folder is `/`, directly below `/`, a home, or a parent folder of a home. */
function isProtectedFolder(folder: string): boolean {
  const isBelowRoot = dirname(folder) === '/';
  const isHome = ['/home', '/Users'].includes(dirname(folder));
  return isBelowRoot || isHome || homes().some((home) => `${home}/`.startsWith(`${folder}/`));
}

function homes(): string[] {
  const listed = (readIfExists('/etc/passwd') ?? '')
    .split('\n')
    .map((line) => line.split(':')[5] ?? '');
  return [homedir(), userInfo().homedir, ...listed].filter((home) => home.startsWith('/'));
}

/**
 * Returns whether the folder contains an entry that only this agent writes, or nothing but entries
 * of the agent. The name `electron` proves nothing, because other folders have it too.
 */
function isStateFolder(folder: string): boolean {
  if (isRecord(folder)) return true;
  if (isLockText(readFile(join(folder, stateEntries.lock)))) return true;
  if (readFile(join(folder, stateEntries.identityKey)).includes('PRIVATE KEY')) return true;
  return readdirSync(folder).every((name) => isAgentEntry(name) && name !== stateEntries.electron);
}

const isRecord = (folder: string): boolean => {
  try {
    const record = peekRecord(folder);
    return record !== null && record !== 'damaged';
  } catch {
    return false;
  }
};

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const entries: readonly string[] = Object.values(stateEntries);

/**
 * Returns whether the agent creates files with this name. Next to a file there may be a new
 * version, a damaged one, or the temporary file of a lock.
 */
const isAgentEntry = (name: string): boolean =>
  entries.includes(name.replace(/\.(new|corrupt|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, ''));

const spools: readonly string[] = [stateEntries.flowSpool, stateEntries.captureSpool];

/**
 * Removes the files that the agent created in its state folder, and the folder if it is then empty.
 * Returns lines that list what was removed and what was left.
 *
 * @throws Error of one line if something cannot be removed
 */
export function purgeState({ configuredPath, realPath }: Purgeable): string[] {
  if (realPath === null) return [`there is no state folder ${configuredPath}`];
  const removed = readdirSync(realPath)
    .filter(isAgentEntry)
    .sort()
    .filter((name) => removeEntry(realPath, name));
  const lines = removed.length > 0 ? [`removed from ${realPath}: ${removed.join(', ')}`] : [];
  const remaining = filesBelow(realPath);
  if (remaining.length > 0)
    return [
      ...lines,
      `left in ${realPath}, because the agent did not create it: ${summarizeNames(remaining)}`,
    ];
  rmdirSync(realPath);
  lines.push(`removed ${realPath}`);
  if (lstatSync(configuredPath, { throwIfNoEntry: false })?.isSymbolicLink())
    lines.push(`left the symbolic link ${configuredPath}, which pointed there`);
  return lines;
}

/**
 * Removes an entry, and returns whether all of it was removed. Symbolic links are kept: the agent
 * creates none.
 */
function removeEntry(folder: string, name: string): boolean {
  const path = join(folder, name);
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return false;
  if (!spools.includes(name)) {
    rmSync(path, { recursive: name === stateEntries.electron });
    return true;
  }
  if (!stat.isDirectory()) return false;
  const names = readdirSync(path);
  for (const file of names.filter(isSpoolFile)) rmSync(join(path, file));
  if (!names.every(isSpoolFile)) return false;
  rmdirSync(path);
  return true;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || !spools.includes(entry.name)) return [entry.name];
    return readdirSync(join(folder, entry.name)).map((name) => `${entry.name}/${name}`);
  });
}

const summarizeNames = (names: readonly string[]): string =>
  names.length > 5
    ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
    : names.join(', ');
