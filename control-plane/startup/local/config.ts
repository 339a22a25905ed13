import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../../config.ts';

/** Stands in for the Apple team on one machine, where no Mac installs the profile. */
const exampleTeamId = 'GATEHOUSE1';

/** For one machine: as the control plane's configuration, but reachable only from here. */
export const readLocalConfig = (env: NodeJS.ProcessEnv = process.env): Config | { error: string } =>
  readConfig(env, { HOST: '127.0.0.1', APPLE_TEAM_ID: exampleTeamId });

/** Why the profile is not for a Mac, in one line; null: APPLE_TEAM_ID was given. */
export const profileNotice = (env: NodeJS.ProcessEnv = process.env): string | null =>
  env['APPLE_TEAM_ID']
    ? null
    : `for looking only: APPLE_TEAM_ID is not set, and ${exampleTeamId} in it is nobody's team`;

export interface LocalFiles {
  /** What IT would upload to device management. */
  profile: string;
  /** What the operating system would make of the profile. */
  managedPreferences: string;
  trustedRoots: string;
  agentState: string;
}

export function localFiles({ dataDir, app }: Config): LocalFiles {
  // The agent takes absolute paths only: where it was started from must not matter to it.
  const agent = resolve(dataDir, 'agent');
  return {
    profile: join(dataDir, `${app.name}.mobileconfig`),
    managedPreferences: join(agent, `${app.bundleId}.proxymonitor.plist`),
    trustedRoots: join(agent, 'trusted-roots.pem'),
    agentState: join(agent, 'state'),
  };
}

/** The environment that the agent beside the control plane is started with. */
export const agentEnvironment = (config: Config, files: LocalFiles): NodeJS.ProcessEnv => ({
  // Trying it out changes nothing on this computer.
  AGENT_SYSTEM_TRUST: 'off',
  ...process.env,
  APP_BUNDLE_ID: config.app.bundleId,
  MANAGED_PREFERENCES: files.managedPreferences,
  AGENT_TRUSTED_ROOTS: files.trustedRoots,
  AGENT_STATE_DIR: files.agentState,
});
