import { join, resolve } from 'node:path';
import { EXAMPLE_TEAM_ID, exampleTeamNotice } from '#profile-builder/config.ts';
import { type Config, readConfig } from '../../config.ts';

/**
 * Reads the configuration for a single machine: that of the control plane, but bound to the
 * loopback interface, and with the team of examples, because no Mac installs the profile.
 */
export const readLocalConfig = (env: NodeJS.ProcessEnv = process.env): Config | { error: string } =>
  readConfig(env, { HOST: '127.0.0.1', APPLE_TEAM_ID: EXAMPLE_TEAM_ID });

/** Returns why the profile cannot be used on a Mac, in one line; null if APPLE_TEAM_ID may be real. */
export const profileNotice = (env: NodeJS.ProcessEnv = process.env): string | null =>
  env['APPLE_TEAM_ID']
    ? exampleTeamNotice(env['APPLE_TEAM_ID'])
    : `for inspection only: APPLE_TEAM_ID is not set, and its placeholder ${EXAMPLE_TEAM_ID} is no real team`;

export interface LocalFiles {
  /** The profile to upload to device management. */
  profile: string;
  /** The managed preferences that the operating system would derive from the profile. */
  managedPreferences: string;
  trustedRoots: string;
  agentState: string;
}

export function localFiles({ dataDir, app }: Config): LocalFiles {
  // The agent accepts only absolute paths, so that its working directory does not matter.
  const agent = resolve(dataDir, 'agent');
  return {
    profile: join(dataDir, `${app.name}.mobileconfig`),
    managedPreferences: join(agent, `${app.bundleId}.proxymonitor.plist`),
    trustedRoots: join(agent, 'trusted-roots.pem'),
    agentState: join(agent, 'state'),
  };
}

/** Returns the environment of the agent that is started together with the control plane. */
export const agentEnvironment = (config: Config, files: LocalFiles): NodeJS.ProcessEnv => ({
  // A trial changes nothing on this computer.
  AGENT_SYSTEM_TRUST: 'off',
  ...process.env,
  APP_BUNDLE_ID: config.app.bundleId,
  MANAGED_PREFERENCES: files.managedPreferences,
  AGENT_TRUSTED_ROOTS: files.trustedRoots,
  AGENT_STATE_DIR: files.agentState,
});
