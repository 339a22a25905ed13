import type { AppNotes } from '#contract/app-settings.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import type { OwnRules } from '#contract/settings.ts';
import { withBlocked } from '#domain/guard/blocked-processes.ts';
import {
  type GuardLayer,
  guardOrigins,
  type GuardTarget,
  resolveGuard,
} from '#domain/guard/cascade.ts';

/** Parts of the configuration that all devices of a tenant share. */
export interface DeviceConfigParts {
  version: number;
  layers: readonly (GuardLayer & { updated_at: number })[];
  masking: OwnRules;
  app: AppNotes;
  /** Names of processes blocked by inventory rules, by device. */
  blocks?: ReadonlyMap<string, readonly string[]>;
}

/** Returns the effective configuration of one device. */
export function configFor(
  { version, layers, masking, app, blocks }: DeviceConfigParts,
  target: GuardTarget,
  profileHosts: readonly string[],
): DeviceConfig {
  const resolved = resolveGuard(layers, target, profileHosts);
  const names = blocks?.get(target.device ?? '') ?? [];
  const effective = withBlocked(resolved.effective, names);
  const { hostSources: host_sources } = resolved;
  return { version, ...effective, origins: guardOrigins(resolved), host_sources, masking, app };
}

/**
 * Limits the reported version, because a device cannot have applied one that does not exist yet.
 */
export const clampVersion = (reported: number, newest: number): number =>
  Math.min(reported, newest);
