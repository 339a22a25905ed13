import type { RecordingLevel } from '#contract/guard.ts';
import {
  CLAUDE_CODE_DOMAIN,
  claudeCodeEnvironment,
} from '#domain/coding-agents/claude-code-settings.ts';
import {
  CODEX_CONFIGURATION_KEY,
  CODEX_DOMAIN,
  codexTable,
} from '#domain/coding-agents/codex-settings.ts';
import { RELAY_PORT, relayUrl } from '#domain/coding-agents/relay-address.ts';
import type { CheckedInput } from '../profile-input.ts';
import { commonKeys, type PlistDictionary } from './common-keys.ts';

/**
 * Managed preferences that make coding agents send their telemetry to the agent on the Mac, which
 * adds the device's key. The payload's type is the tool's preference domain.
 */
export function codingAgentPayloads(input: CheckedInput, level: RecordingLevel): PlistDictionary[] {
  const target = { level, endpoint: relayUrl(RELAY_PORT) };
  return [
    {
      ...keysFor(input, 'Claude Code', { type: CLAUDE_CODE_DOMAIN, name: 'claude-code' }),
      env: claudeCodeEnvironment(target),
    },
    {
      ...keysFor(input, 'Codex', { type: CODEX_DOMAIN, name: 'codex' }),
      [CODEX_CONFIGURATION_KEY]: Buffer.from(codexTable(target)).toString('base64'),
    },
  ];
}

const keysFor = (
  input: CheckedInput,
  tool: string,
  payload: { type: string; name: string },
): PlistDictionary =>
  commonKeys(input, {
    ...payload,
    title: `${input.appName} settings of ${tool}`,
    description: `Lets ${input.appName} record the use of ${tool}.`,
  });
