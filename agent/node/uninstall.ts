import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { AgentConfig } from '#agent/config.ts';
import { errnoOf } from './state/atomic-file.ts';
import { createUserNames } from './flows/linux/users.ts';
import { openLedgers } from './coding-agents/ledger.ts';
import { undoCodingAgentSettings } from './coding-agents/manage-coding-agents.ts';
import { findLockHolder } from './state/lock.ts';
import type { Log } from './log.ts';
import { checkPurgeable, findSharedFolder, purgeState } from './state/purge-state.ts';
import { serviceStateFolder } from './state/service-folders.ts';
import { findStateFolder, isDefaultFolder, stateEntries } from './state/state-folder.ts';
import { SYSTEM_PATH } from './system-path.ts';
import { undoToolHooks } from './tool-checks/manage-tool-hooks.ts';
import { createSystemTrust } from './system-trust/system-trust.ts';

type Step = () => Promise<string[]> | string[];

export interface UninstallOptions {
  /** Also removes the state, including reports that were not sent. */
  purge: boolean;
}

/**
 * Removes what the agent has added to this computer: trusted roots, redirections, settings of
 * coding agents and, if requested, its state. A failed step does not stop the others. Returns the
 * exit code: 1 if a step failed, 2 if no step was started.
 */
export async function uninstall(
  agentConfig: AgentConfig,
  { purge }: UninstallOptions,
  log: Log,
): Promise<number> {
  const config = { ...agentConfig, stateDir: findStateFolder(agentConfig) };
  try {
    // Checked before the owner, because sudo would not help: such a folder is refused for every
    // user.
    const shared = purge ? findSharedFolder(config) : null;
    if (shared !== null) return refuse(log, shared);
    const blocker = await findObstacle(agentConfig, config);
    if (blocker !== null) return refuse(log, blocker);
    const purgeable = purge ? checkPurgeable(config) : null;
    if (purgeable && 'error' in purgeable) return refuse(log, purgeable.error);
    return await runSteps(log, [
      () => removeTrust(config),
      () => removeToolHooks(config),
      () => removeCodingAgentSettings(config),
      removeRedirections,
      ...(purgeable ? [() => purgeState(purgeable)] : []),
      () => mentionServiceState(config),
    ]);
  } catch (error) {
    return refuse(log, `${config.stateDir}: ${(error as Error).message}`);
  }
}

function refuse(log: Log, line: string): number {
  log.error(line);
  return 2;
}

const isRoot = (): boolean => userInfo().uid === 0;

/** Returns why nothing can be removed now, or by this user; null if removal is possible. */
async function findObstacle(agentConfig: AgentConfig, config: AgentConfig): Promise<string | null> {
  const { stateDir } = config;
  const owner = ownerOf(stateDir);
  if (owner === null && isDefaultFolder(agentConfig) && process.platform === 'linux' && !isRoot())
    return 'this user has no agent, and only root can check what an agent that ran as root has left: run with sudo';
  if (owner !== null && owner !== userInfo().uid && !isRoot())
    return owner === 0
      ? `${stateDir} belongs to root: run with sudo`
      : `${stateDir} belongs to ${createUserNames()(owner) ?? `user ${owner}`}: run as that user`;
  const holder = await findHolder(stateDir);
  return holder === null ? null : `the agent still runs (process ${holder}): stop it first`;
}

/** Returns the id of the user that a folder belongs to; null if the folder does not exist. */
function ownerOf(folder: string): number | null {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.uid ?? null;
  } catch (error) {
    // This user may not enter one of its parent folders, where this user's own agent would not have
    // its state.
    if (errnoOf(error) === 'EACCES') return 0;
    throw error;
  }
}

/**
 * Finds the process that holds the lock. A file instead of the folder means that there is no lock.
 */
const findHolder = (stateDir: string): Promise<number | null> =>
  findLockHolder(stateDir).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  });

async function runSteps(log: Log, steps: readonly Step[]): Promise<number> {
  let code = 0;
  for (const step of steps)
    try {
      for (const line of await step()) log.info(line);
    } catch (error) {
      log.error((error as Error).message);
      code = 1;
    }
  return code;
}

async function removeTrust({ systemTrust }: AgentConfig): Promise<string[]> {
  if (!systemTrust)
    return ['the trusted roots of the system are not changed (AGENT_SYSTEM_TRUST=off)'];
  if (process.platform !== 'linux')
    return [
      'the trusted roots of macOS are not changed: they are removed together with the profile',
    ];
  if (!isRoot()) return ['the trusted roots of the system are not checked: only root installs any'];
  await createSystemTrust().set([]);
  return ['the system no longer trusts roots of the agent'];
}

/**
 * Removes settings of coding agents. A file instead of the state folder means that there is no
 * ledger.
 */
function removeCodingAgentSettings({ stateDir, systemRoot }: AgentConfig): string[] {
  if (!existsSync(join(stateDir, stateEntries.codingAgents))) return [];
  return undoCodingAgentSettings(ledgersIn(stateDir), systemRoot);
}

function removeToolHooks({ stateDir, systemRoot }: AgentConfig): string[] {
  if (!existsSync(join(stateDir, stateEntries.toolHooks))) return [];
  return undoToolHooks(ledgersIn(stateDir), systemRoot);
}

const ledgersIn = (stateDir: string) => openLedgers((entry) => join(stateDir, entry));

/**
 * Removes a table that outlived the agent; usually the kernel removes it when the agent's nft ends.
 */
async function removeRedirections(): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  if (!isRoot()) return ['redirected connections are not checked: only root can'];
  if (!(await nft('list'))) return ['no connection is redirected'];
  if (await nft('delete')) return ['connections are no longer redirected'];
  throw new Error(
    'the table inet gatehouse of nftables cannot be deleted: end the nft that owns it',
  );
}

const nft = (verb: 'list' | 'delete'): Promise<boolean> =>
  new Promise((resolve) => {
    const env = { PATH: SYSTEM_PATH };
    execFile('nft', [verb, 'table', 'inet', 'gatehouse'], { env }, (error) => resolve(!error));
  });

/** Mentions the state of the service, because a user may have a separate agent. */
function mentionServiceState(config: AgentConfig): string[] {
  const serviceFolder = serviceStateFolder(config.bundleId);
  const isOther = isDefaultFolder(config) && config.stateDir !== serviceFolder;
  if (process.platform !== 'linux' || !isOther || !existsSync(serviceFolder)) return [];
  return [`an agent of root has its state in ${serviceFolder}: run with sudo to remove it too`];
}
