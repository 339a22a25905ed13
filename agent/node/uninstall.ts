import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { AgentConfig } from '#agent/config.ts';
import { nftPath } from './capture/doors/nft.ts';
import { findLockHolder } from './lock.ts';
import type { Log } from './log.ts';
import { createSystemTrust } from './system-trust/system-trust.ts';

const usage = 'usage: uninstall [--purge]';

type Step = () => Promise<string> | string;

/**
 * Removes what the agent has added to this computer: trusted roots, redirections and, with `--purge`,
 * its state folder including reports that were not sent. A step that fails does not stop the others.
 * Answers the exit code: 1 if something is left, 2 if nothing was started.
 */
export async function uninstall(
  config: AgentConfig,
  args: readonly string[],
  log: Log,
): Promise<number> {
  if (args.some((arg) => arg !== '--purge')) return refuse(log, usage);
  const holder = await findLockHolder(config.stateDir);
  if (holder !== null)
    return refuse(log, `the agent still runs (process ${holder}): stop it first`);
  return takeSteps(log, [
    () =>
      config.systemTrust
        ? forgetTrust()
        : 'the trusted roots of the system are not changed (AGENT_SYSTEM_TRUST=off)',
    removeRedirections,
    ...(args.includes('--purge') ? [() => removeState(config)] : []),
  ]);
}

function refuse(log: Log, line: string): number {
  log.error(line);
  return 2;
}

async function takeSteps(log: Log, steps: readonly Step[]): Promise<number> {
  let code = 0;
  for (const step of steps)
    try {
      log.info(await step());
    } catch (error) {
      log.error((error as Error).message);
      code = 1;
    }
  return code;
}

async function forgetTrust(): Promise<string> {
  if (process.platform !== 'linux') return 'the profile, not the agent, brings what macOS trusts';
  if (userInfo().uid !== 0) return 'only root installs roots for the system: none to remove';
  await createSystemTrust().set([]);
  return 'the system no longer trusts roots of the agent';
}

/** The kernel removes the table when the agent's nft ends; this removes one that outlived it. */
async function removeRedirections(): Promise<string> {
  const none = 'no connection is redirected';
  if (process.platform !== 'linux' || userInfo().uid !== 0) return none;
  if (!(await nft('list'))) return none;
  if (await nft('delete')) return 'connections are no longer redirected';
  throw new Error(
    'the table inet gatehouse of nftables cannot be deleted: end the nft that owns it',
  );
}

const nft = (verb: 'list' | 'delete'): Promise<boolean> =>
  new Promise((resolve) => {
    const env = { PATH: nftPath };
    execFile('nft', [verb, 'table', 'inet', 'gatehouse'], { env }, (error) => resolve(!error));
  });

function removeState({ stateDir }: AgentConfig): string {
  rmSync(stateDir, { recursive: true, force: true });
  return `${stateDir} is removed`;
}
