import type { ToolVerdict } from '#contract/tool-checks.ts';
import { oneLine } from '#lib/one-line.ts';
import type { HookClient } from './tool-event.ts';

/** Says nothing: the client goes on as it would without a hook, and asks its user where it would. */
const UNDECIDED = {};

/**
 * What a hook prints. `allow` is never said: it would skip the client's own question to its user.
 * Nor is `ask`: the person to ask is an approver in the console, not the user of the device.
 */
export function hookAnswer(client: HookClient, verdict: ToolVerdict): object {
  if (verdict.decision === 'allow') return UNDECIDED;
  const reason = refusalText(verdict);
  switch (client) {
    case 'claude-code':
    case 'codex':
    case 'qwen-code':
    case 'opencode':
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: reason,
        },
      };
    case 'gemini-cli':
      return { decision: 'deny', reason };
    case 'cursor':
      return { permission: 'deny', user_message: reason, agent_message: reason };
    case 'copilot':
      return { permissionDecision: 'deny', permissionDecisionReason: reason };
  }
}

/** Why a call is refused, for the model and its user. */
export function refusalText({ decision, policy, reason }: ToolVerdict): string {
  const by = policy === null ? "Blocked by your organization's settings" : byPolicy(policy);
  const next = decision === 'ask' ? '. Approval was requested: try again once it is approved' : '';
  return `${by}: ${oneLine(reason)}${next}.`;
}

const byPolicy = (name: string): string =>
  `Blocked by your organization's policy "${oneLine(name)}"`;
