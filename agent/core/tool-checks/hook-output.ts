import type { ToolVerdict } from '#contract/tool-checks.ts';
import { oneLine } from '#lib/one-line.ts';
import type { HookClient } from './tool-event.ts';

/**
 * No decision: the client continues as it would without a hook, including any question to its user.
 */
const UNDECIDED = {};

/**
 * Goose reports a hook without a decision as failed. It runs hooks after the question to its user,
 * so this skips none.
 */
const GOOSE_UNDECIDED = { decision: 'allow' };

/**
 * The output of a hook. It never contains an `allow` that would skip the client's own question to
 * its user, nor `ask`: the approver is a person in the console, not the user of the device.
 */
export function hookOutput(client: HookClient, verdict: ToolVerdict): object {
  if (verdict.decision === 'allow') return client === 'goose' ? GOOSE_UNDECIDED : UNDECIDED;
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
    case 'goose':
      return { decision: 'block', reason };
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
