import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlistValue } from 'plist';
import { parse } from 'smol-toml';
import { z } from 'zod';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { CLAUDE_CODE_DOMAIN } from '#domain/coding-agents/claude-code-settings.ts';
import { CODEX_CONFIGURATION_KEY, CODEX_DOMAIN } from '#domain/coding-agents/codex-settings.ts';
import { parsePlist } from '../parse-plist.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';

/** Managed preferences of a coding agent that take precedence over its settings files. */
export interface ToolPreferences {
  tool: string;
  path: string;
  /** The base URL to which the tool sends its telemetry; null: it sends none. */
  endpoint: string | null;
}

interface ManagedTool {
  tool: string;
  domain: string;
  /** Whether the tool ignores its files if it has any managed preferences. */
  ignoresFiles: boolean;
  endpointOf: (preferences: unknown) => string | null;
}

const claudeCode = z.object({
  env: z.object({
    CLAUDE_CODE_ENABLE_TELEMETRY: z.literal('1'),
    OTEL_EXPORTER_OTLP_ENDPOINT: z.string(),
  }),
});
const codex = z.object({ [CODEX_CONFIGURATION_KEY]: z.string() });
const codexConfiguration = z.object({
  otel: z.object({ exporter: z.object({ 'otlp-http': z.object({ endpoint: z.string() }) }) }),
});

const managedTools: readonly ManagedTool[] = [
  {
    tool: 'Claude Code',
    domain: CLAUDE_CODE_DOMAIN,
    ignoresFiles: true,
    endpointOf: (preferences) =>
      claudeCode.safeParse(preferences).data?.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  },
  { tool: 'Codex', domain: CODEX_DOMAIN, ignoresFiles: false, endpointOf: codexEndpointOf },
];

function codexEndpointOf(preferences: unknown): string | null {
  const encoded = codex.safeParse(preferences).data?.[CODEX_CONFIGURATION_KEY] ?? '';
  const toml = tryOrUndefined(() => parse(Buffer.from(encoded, 'base64').toString('utf8')));
  const exporter = codexConfiguration.safeParse(toml).data?.otel.exporter['otlp-http'];
  return exporter?.endpoint.replace(/\/v1\/logs$/, '') ?? null;
}

/**
 * Reads the managed preferences that device management delivered for coding agents. Those for the
 * user take precedence over those for the computer.
 */
export function readToolPreferences(folder: string, user: string): ToolPreferences[] {
  return managedTools.flatMap((managed) => {
    const { tool, domain, ignoresFiles, endpointOf } = managed;
    const found = [join(folder, user), folder].flatMap((parent) => {
      const path = join(parent, `${domain}.plist`);
      const preferences = readPlist(path);
      return preferences === undefined ? [] : [{ tool, path, endpoint: endpointOf(preferences) }];
    });
    const [used] = ignoresFiles ? found : found.filter(({ endpoint }) => endpoint !== null);
    return used ?? [];
  });
}

/** Missing and invalid preferences are the same for the tools. */
const readPlist = (path: string): PlistValue | undefined =>
  tryOrUndefined(() => parsePlist(readFileSync(path)));

export interface CheckedPreferences {
  /** Preferences that make a tool report to this agent or to its control plane. */
  delivered: ToolPreferences[];
  problems: string[];
}

/** Determines which tools report to this device's control plane because of their preferences. */
export function checkToolPreferences(
  found: readonly ToolPreferences[],
  { endpoint, relay }: Pick<Recording, 'endpoint' | 'relay'>,
): CheckedPreferences {
  const isOurs = (one: ToolPreferences): boolean =>
    one.endpoint !== null && [relay, endpoint].includes(one.endpoint);
  return {
    delivered: found.filter(isOurs),
    problems: found
      .filter((one) => !isOurs(one))
      .map((one) => `${one.path}: ${reasonOf(one)}: ${one.tool} is not recorded`),
  };
}

const reasonOf = ({ endpoint }: ToolPreferences): string =>
  endpoint === null
    ? 'replaces all settings files, and sends no telemetry'
    : `sends telemetry to ${URL.parse(endpoint)?.host ?? 'an invalid address'}, not to this agent`;
