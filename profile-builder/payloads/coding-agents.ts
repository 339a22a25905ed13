import type { RecordingLevel } from '#contract/guard.ts';
import {
  CLAUDE_CODE_DOMAIN,
  claudeCodeEnvironment,
  claudeCodeHooks,
} from '#domain/coding-agents/claude-code-settings.ts';
import {
  CODEX_CONFIGURATION_KEY,
  CODEX_DOMAIN,
  CODEX_HOOKS_FEATURE,
  CODEX_REQUIREMENTS_KEY,
  codexHooksTable,
  codexTable,
} from '#domain/coding-agents/codex-settings.ts';
import type { Hooks } from '#domain/coding-agents/hook-command.ts';
import { RELAY_PORT, relayUrl } from '#domain/coding-agents/relay-address.ts';
import { macToolSocket } from '#domain/coding-agents/tool-socket.ts';
import type { CheckedInput } from '../profile-input.ts';
import { commonKeys, type PlistDictionary } from './common-keys.ts';

/** The folder of curl, which is the program of the hooks; it exists on every Mac. */
const PROGRAM_FOLDER = '/usr/bin';

/**
 * Managed preferences of coding agents. With a level, they make the tools send their telemetry to
 * the agent on the Mac, which adds the device's key; with tool checks, they make the tools ask the
 * agent before each tool call. The payload's type is the tool's preference domain.
 */
export function codingAgentPayloads(input: CheckedInput): PlistDictionary[] {
  const { codingAgents, toolChecks, bundleId } = input;
  const hooks: Hooks | undefined = toolChecks && {
    socket: macToolSocket(bundleId),
    failMode: toolChecks,
  };
  if (!codingAgents && !hooks) return [];
  return [
    {
      ...keysFor(input, 'Claude Code', { type: CLAUDE_CODE_DOMAIN, name: 'claude-code' }),
      ...(codingAgents && { env: claudeCodeEnvironment(targetOf(codingAgents)) }),
      ...(hooks && { hooks: claudeCodeHooks(hooks) }),
    },
    {
      ...keysFor(input, 'Codex', { type: CODEX_DOMAIN, name: 'codex' }),
      ...(codingAgents && {
        [CODEX_CONFIGURATION_KEY]: base64(codexTable(targetOf(codingAgents))),
      }),
      ...(hooks && {
        [CODEX_REQUIREMENTS_KEY]: base64(
          `${CODEX_HOOKS_FEATURE}${codexHooksTable(PROGRAM_FOLDER, hooks)}`,
        ),
      }),
    },
  ];
}

const targetOf = (level: RecordingLevel) => ({ level, endpoint: relayUrl(RELAY_PORT) });

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const keysFor = (
  input: CheckedInput,
  tool: string,
  payload: { type: string; name: string },
): PlistDictionary =>
  commonKeys(input, {
    ...payload,
    title: `${input.appName} settings of ${tool}`,
    description: `Lets ${input.appName} record and check the use of ${tool}.`,
  });
