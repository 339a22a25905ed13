import { parse } from 'smol-toml';
import { z } from 'zod';
import { CLAUDE_CODE_DOMAIN } from '#domain/coding-agents/claude-code-settings.ts';
import { CODEX_DOMAIN, CODEX_REQUIREMENTS_KEY } from '#domain/coding-agents/codex-settings.ts';
import { isHookCommand } from '#domain/coding-agents/hook-command.ts';
import { hasKey, readDomain } from '../coding-agents/preference-domain.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';

/** Managed preferences of a coding agent that decide which hooks it runs. */
export interface DeliveredHooks {
  tool: string;
  path: string;
  /** Whether they contain the hooks of this product. */
  hasHooks: boolean;
}

/** Both tools use the same format, in JSON and in TOML. */
const hooks = z.object({
  PreToolUse: z.array(z.object({ hooks: z.array(z.object({ command: z.unknown() })) })),
});
const claudeCode = z.object({ hooks });
const codex = z.object({ [CODEX_REQUIREMENTS_KEY]: z.string() });

/** Reads the preferences that device management delivered, and that replace files with hooks. */
export function readDeliveredHooks(folder: string, user: string): DeliveredHooks[] {
  const owner = { folder, user };
  // Claude Code ignores its files as soon as its domain has any preferences.
  const ofClaude = readDomain(owner, CLAUDE_CODE_DOMAIN, () => true);
  const ofCodex = readDomain(owner, CODEX_DOMAIN, hasKey(CODEX_REQUIREMENTS_KEY));
  const found: DeliveredHooks[] = [];
  if (ofClaude) {
    const hasHooks = hasOwnHook(claudeCode.safeParse(ofClaude.preferences).data?.hooks);
    found.push({ tool: 'Claude Code', path: ofClaude.path, hasHooks });
  }
  if (ofCodex && hasOwnHook(hooksOfCodex(ofCodex.preferences)))
    found.push({ tool: 'Codex', path: ofCodex.path, hasHooks: true });
  return found;
}

function hooksOfCodex(preferences: unknown): z.output<typeof hooks> | undefined {
  const encoded = codex.safeParse(preferences).data?.[CODEX_REQUIREMENTS_KEY] ?? '';
  const toml = tryOrUndefined(() => parse(Buffer.from(encoded, 'base64').toString('utf8')));
  return claudeCode.safeParse(toml).data?.hooks;
}

const hasOwnHook = (found: z.output<typeof hooks> | undefined): boolean =>
  found?.PreToolUse.some((group) => group.hooks.some(({ command }) => isHookCommand(command))) ??
  false;
