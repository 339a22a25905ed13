import { parse } from 'smol-toml';
import { z } from 'zod';
import { CLAUDE_CODE_DOMAIN } from '#domain/coding-agents/claude-code-settings.ts';
import { CODEX_DOMAIN, CODEX_REQUIREMENTS_KEY } from '#domain/coding-agents/codex-settings.ts';
import { isHookCommand } from '#domain/coding-agents/hook-command.ts';
import { hasKey, readDomain } from '../coding-agents/preference-domain.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';
import { CODEX_HOOKS_OFF, switchesCodexHooksOff } from './codex-hooks-feature.ts';

/** Managed preferences of a coding agent that decide which hooks it runs. */
export interface DeliveredHooks {
  tool: string;
  path: string;
  /** Why the hooks of this product do not run; null if they do. */
  problem: string | null;
}

const NO_HOOKS_OF_CLAUDE = 'replaces all settings files, and has no hooks of this agent';

const claudeCode = z.object({ hooks: z.unknown(), disableAllHooks: z.unknown().optional() });
const codex = z.object({ [CODEX_REQUIREMENTS_KEY]: z.string() });
const requirements = z.object({ hooks: z.unknown() });

/**
 * Both tools use the same format, in JSON and in TOML. Groups and hooks are parsed one by one,
 * because those of others may have any type.
 */
const events = z.object({ PreToolUse: z.array(z.unknown()) });
const group = z.object({ matcher: z.string().optional(), hooks: z.array(z.unknown()) });
const hook = z.object({ type: z.literal('command'), command: z.string() });

/**
 * Matchers of every tool: https://code.claude.com/docs/en/hooks and `is_match_all_matcher` in
 * `codex-rs/hooks/src/events/common.rs` of https://github.com/openai/codex
 */
const MATCHERS_OF_ALL: readonly (string | undefined)[] = ['*', '.*', '', undefined];

/** Reads the preferences that device management delivered, and that replace files with hooks. */
export function readDeliveredHooks(folder: string, user: string): DeliveredHooks[] {
  const owner = { folder, user };
  // Claude Code ignores its files as soon as its domain has any preferences.
  const ofClaude = readDomain(owner, CLAUDE_CODE_DOMAIN, () => true);
  const ofCodex = readDomain(owner, CODEX_DOMAIN, hasKey(CODEX_REQUIREMENTS_KEY));
  const found: DeliveredHooks[] = [];
  if (ofClaude) {
    const problem = runsHooksOfClaude(ofClaude.preferences) ? null : NO_HOOKS_OF_CLAUDE;
    found.push({ tool: 'Claude Code', path: ofClaude.path, problem });
  }
  const ofRequirements = ofCodex && requirementsOf(ofCodex.preferences);
  // These requirements take precedence over those of the file.
  if (ofCodex && switchesCodexHooksOff(ofRequirements))
    found.push({ tool: 'Codex', path: ofCodex.path, problem: CODEX_HOOKS_OFF });
  else if (ofCodex && hasOwnHook(requirements.safeParse(ofRequirements).data?.hooks))
    found.push({ tool: 'Codex', path: ofCodex.path, problem: null });
  return found;
}

function runsHooksOfClaude(preferences: unknown): boolean {
  const { data } = claudeCode.safeParse(preferences);
  return data?.disableAllHooks !== true && hasOwnHook(data?.hooks);
}

/** Returns the requirements of Codex, parsed; undefined if they are no TOML. */
function requirementsOf(preferences: unknown): unknown {
  const encoded = codex.safeParse(preferences).data?.[CODEX_REQUIREMENTS_KEY] ?? '';
  return tryOrUndefined(() => parse(Buffer.from(encoded, 'base64').toString('utf8')));
}

/** Whether the agent's hook is called before every tool. */
const hasOwnHook = (hooks: unknown): boolean =>
  (events.safeParse(hooks).data?.PreToolUse ?? []).some((one) => {
    const { data } = group.safeParse(one);
    return data && MATCHERS_OF_ALL.includes(data.matcher) && data.hooks.some(isOwnHook);
  });

const isOwnHook = (one: unknown): boolean => isHookCommand(hook.safeParse(one).data?.command);
