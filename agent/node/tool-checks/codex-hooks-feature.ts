import { z } from 'zod';

const requirements = z.object({
  features: z.unknown().optional(),
  feature_requirements: z.unknown().optional(),
});
const features = z.object({
  hooks: z.boolean().optional().catch(undefined),
  codex_hooks: z.boolean().optional().catch(undefined),
});

/** Why Codex runs no hooks at all, also none of its requirements. */
export const CODEX_HOOKS_OFF = 'switches hooks off ([features] hooks = false)';

/**
 * Returns the table with features in Codex' requirements, of which the second name is an earlier
 * one: `ConfigRequirementsToml` in `codex-rs/config/src/config_requirements.rs` of
 * https://github.com/openai/codex. Codex refuses requirements with both.
 */
export function codexFeatures(toml: unknown): unknown {
  const { data } = requirements.safeParse(toml);
  return data?.features ?? data?.feature_requirements;
}

/**
 * Whether Codex' requirements switch off its hooks, with the key of the feature or its earlier name:
 * `parse_feature_requirements` in `codex-rs/core/src/config/managed_features.rs` and `ALIASES` in
 * `codex-rs/features/src/legacy.rs` of https://github.com/openai/codex
 */
export function switchesCodexHooksOff(toml: unknown): boolean {
  const { data } = features.safeParse(codexFeatures(toml));
  return (data?.hooks ?? data?.codex_hooks) === false;
}
