import { existsSync } from 'node:fs';
import type { AgentConfig } from '#agent/config.ts';
import { platform } from '../platform/index.ts';

/**
 * The folder to look at. On Linux the agent usually is a service of root, and whoever asks a plain
 * user: where that user has no agent of their own, the service's folder is meant.
 */
export function findStateFolder({ stateDir, bundleId }: AgentConfig): string {
  const ofRoot = `/var/lib/${bundleId}`;
  const isDefault = stateDir === platform.stateDir(bundleId);
  return isDefault && !existsSync(stateDir) && existsSync(ofRoot) ? ofRoot : stateDir;
}
