import { readAgentConfig } from '#agent/config.ts';
import type { Check } from '#agent/core/doctor/check.ts';
import type { TestComputer } from '../../testing/test-computer.ts';
import type { ShellEnvironment } from '../config.ts';
import { examine } from '../examine.ts';

const bareShell: ShellEnvironment = { trust: {}, proxies: {}, redirections: {}, hasSudo: false };

/** Runs the checks of doctor; returns them by id. */
export async function runChecks(
  computer: Pick<TestComputer, 'dir' | 'stateDir' | 'preferences'>,
  {
    env = {},
    shell = {},
  }: { env?: Record<string, string>; shell?: Partial<ShellEnvironment> } = {},
): Promise<Map<string, Check>> {
  const read = readAgentConfig({
    MANAGED_PREFERENCES: computer.preferences,
    AGENT_STATE_DIR: computer.stateDir,
    AGENT_TRUSTED_ROOTS: `${computer.dir}/roots.pem`,
    AGENT_HARDWARE_ID: 'test-machine-0001',
    AGENT_PROXY_PORT: 'off',
    ...env,
  });
  if ('error' in read) throw new Error(read.error);
  const checks = await examine({ config: read.config, shell: { ...bareShell, ...shell } });
  return new Map(checks.map((check) => [check.id, check]));
}
