import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { banner } from '../banner.ts';
import type { Config } from '../../config.ts';
import { type ControlPlane, startControlPlane } from '../../start.ts';
import { formatStartupError } from '../../lib/setting-error.ts';
import { stopOnSignal } from '../shutdown.ts';
import { agentEnvironment, localFiles, profileNotice, readLocalConfig } from './config.ts';
import { deployProfile } from './deploy.ts';

/**
 * Implements `npm start`, which runs the whole product on one machine: a control plane and an
 * agent.
 */
const config = readLocalConfig();
if ('error' in config) fail(config.error);
else startLocal(config).catch((error: unknown) => fail(formatStartupError(error, config)));

async function startLocal(local: Config): Promise<void> {
  const controlPlane = await startControlPlane(local);
  const files = localFiles(local);
  write(banner(local.app.name, controlPlane));
  const obstacle = await deployProfile(controlPlane, local, files);
  // This comes after deploying the profile, which needs the key as well.
  controlPlane.credentialsShown();
  if (obstacle) write(`  no agent   ${obstacle}\n`);
  const agent = obstacle ? undefined : startAgent(agentEnvironment(local, files));
  stopOnSignal(
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
    () => stop(controlPlane, agent),
    (error) => fail(formatStartupError(error, local)),
  );
  const notice = profileNotice();
  if (notice !== null) write(`  profile    ${notice}\n`);
  if (agent)
    write(`  profile    ${files.profile}\n  agent      process ${agent.pid}; Ctrl-C ends both\n`);
}

function startAgent(env: NodeJS.ProcessEnv): ChildProcess {
  const program = fileURLToPath(import.meta.resolve('#agent/headless.ts'));
  // In a separate process group, the agent receives Ctrl-C once, through this process. The IPC
  // channel closes however this process ends, and the agent then exits.
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const agent = spawn(process.execPath, [program], { env, stdio: [...stdio], detached: true });
  agent.on('exit', (code, signal) => {
    if (!stopping)
      write(`agent: ended unexpectedly (${signal ?? `exit ${code}`}); the console keeps running\n`);
  });
  return agent;
}

let stopping = false;

/** Stops the agent first, so that it can still send pending data. */
async function stop(controlPlane: ControlPlane, agent: ChildProcess | undefined): Promise<void> {
  stopping = true;
  await ended(agent);
  await controlPlane.close();
}

function ended(agent: ChildProcess | undefined): Promise<void> {
  if (!agent || agent.exitCode !== null || agent.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    agent.once('exit', () => resolve());
    agent.kill('SIGTERM');
  });
}

function write(text: string): void {
  process.stdout.write(text);
}

function fail(message: string): never {
  process.stderr.write(`gatehouse: ${message}\n`);
  process.exit(1);
}
