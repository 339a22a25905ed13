import { withBlocked } from '#agent/core/blocked-processes.ts';
import {
  type GuardLayer,
  guardOrigins,
  type GuardTarget,
  resolveGuard,
} from '#agent/core/guard.ts';
import type { AppNotes } from '#contract/app-settings.ts';
import type { DeviceConfig } from '#contract/device.ts';
import type { OwnRules } from '#contract/settings.ts';

/** What the devices of a tenant are told of. */
export interface DeviceConfigParts {
  version: number;
  layers: readonly (GuardLayer & { updated_at: number })[];
  masking: OwnRules;
  app: AppNotes;
  /** Names of processes that rules on the inventory block, by device. */
  blocks?: ReadonlyMap<string, readonly string[]>;
}

/** What one of them is told. */
export function configFor(
  { version, layers, masking, app, blocks }: DeviceConfigParts,
  target: GuardTarget,
  profileHosts: readonly string[],
): DeviceConfig {
  const resolved = resolveGuard(layers, target, profileHosts);
  const names = blocks?.get(target.device ?? '') ?? [];
  const effective = withBlocked(resolved.effective, names);
  return { version, ...effective, origins: guardOrigins(resolved), masking, app };
}
