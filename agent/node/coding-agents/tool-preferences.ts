import type { PlistValue } from 'plist';
import { parse } from 'smol-toml';
import { z } from 'zod';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { CLAUDE_CODE_DOMAIN } from '#domain/coding-agents/claude-code-settings.ts';
import { CODEX_CONFIGURATION_KEY, CODEX_DOMAIN } from '#domain/coding-agents/codex-settings.ts';
import { tryOrUndefined } from '../try-or-undefined.ts';
import { hasKey, readDomain } from './preference-domain.ts';

/** Managed preferences of a coding agent that take precedence over its settings files. */
export interface ToolPreferences {
  tool: string;
  path: string;
  /** The base URL to which these preferences make the tool send its telemetry; null: to none. */
  endpoint: string | null;
  /** Whether telemetry that is set up in the tool's settings files has no effect. */
  replacesFiles: boolean;
}

interface ManagedTool {
  tool: string;
  domain: string;
  /** Whether the tool reads its settings from this file, and then from no other of the domain. */
  isUsed: (preferences: PlistValue) => boolean;
  /** Whether the tool ignores its settings files if it has any managed preferences. */
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
    isUsed: () => true,
    ignoresFiles: true,
    endpointOf: (preferences) =>
      claudeCode.safeParse(preferences).data?.env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  },
  {
    tool: 'Codex',
    domain: CODEX_DOMAIN,
    isUsed: hasKey(CODEX_CONFIGURATION_KEY),
    ignoresFiles: false,
    endpointOf: codexEndpointOf,
  },
];

function codexEndpointOf(preferences: unknown): string | null {
  const encoded = codex.safeParse(preferences).data?.[CODEX_CONFIGURATION_KEY] ?? '';
  const toml = tryOrUndefined(() => parse(Buffer.from(encoded, 'base64').toString('utf8')));
  const exporter = codexConfiguration.safeParse(toml).data?.otel.exporter['otlp-http'];
  return exporter?.endpoint.replace(/\/v1\/logs$/, '') ?? null;
}

/** Reads the managed preferences that device management delivered for coding agents. */
export const readToolPreferences = (folder: string, user: string): ToolPreferences[] =>
  managedTools.flatMap(({ tool, domain, isUsed, ignoresFiles, endpointOf }) => {
    const found = readDomain({ folder, user }, domain, isUsed);
    if (!found) return [];
    const endpoint = endpointOf(found.preferences);
    return [{ tool, path: found.path, endpoint, replacesFiles: ignoresFiles || endpoint !== null }];
  });

export interface CheckedPreferences {
  /** Preferences that make a tool report to this agent or to its control plane. */
  delivered: ToolPreferences[];
  problems: string[];
}

/**
 * Determines which tools report to this device's control plane because of their preferences.
 * `written` are the tools whose settings files the agent wrote.
 */
export function checkToolPreferences(
  found: readonly ToolPreferences[],
  { endpoint, relay }: Pick<Recording, 'endpoint' | 'relay'>,
  written: ReadonlySet<string>,
): CheckedPreferences {
  const isOurs = (one: ToolPreferences): boolean =>
    one.endpoint !== null && [relay, endpoint].includes(one.endpoint);
  return {
    delivered: found.filter(isOurs),
    problems: found
      .filter((one) => !isOurs(one) && (one.replacesFiles || !written.has(one.tool)))
      .map((one) => `${one.path}: ${reasonOf(one)}: ${one.tool} is not recorded`),
  };
}

function reasonOf({ endpoint, replacesFiles }: ToolPreferences): string {
  if (endpoint !== null)
    return `sends telemetry to ${URL.parse(endpoint)?.host ?? 'an invalid address'}, not to this agent`;
  return replacesFiles
    ? 'replaces all settings files, and sends no telemetry'
    : `${CODEX_CONFIGURATION_KEY} has no [otel] with an endpoint of otlp-http`;
}
