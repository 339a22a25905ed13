import { isObject } from '#agent/core/recognition/mcp-server.ts';
import type { McpConfigPlace } from '#domain/app-catalog/entry.ts';
import { loadingTools, type LoadingTool } from '#domain/app-catalog/loading-tools.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';
import type { PluginRoot } from './plugin-root.ts';
import { pluginRoots } from './plugin-roots.ts';
import type { ConfigCandidate } from './project-configs.ts';

/**
 * How plugins declare MCP servers: `mcpServers` of the manifest is a map of servers, the path of a
 * file below the plugin's folder, or a list of both. Claude Code also reads `.mcp.json`.
 *
 * https://code.claude.com/docs/en/plugins-reference, https://developers.openai.com/codex/plugins
 */
const SOURCE = 'https://code.claude.com/docs/en/plugins-reference';

const placeOf = (tool: string, keys: string[][]): McpConfigPlace => ({
  client: `${loadingTools[tool as LoadingTool][0]} plugin`,
  format: 'json',
  source: SOURCE,
  keys,
});

/** A path is ignored if it leaves the plugin, as the tools themselves do. */
const isInside = (path: string) => !path.startsWith('/') && !path.split('/').includes('..');

function configsOf({ dir, tool, manifest, declaredIn, listed }: PluginRoot): ConfigCandidate[] {
  const declared = Object.hasOwn(manifest, 'mcpServers') ? manifest['mcpServers'] : undefined;
  const parts: unknown[] = Array.isArray(declared) ? declared : [declared];
  const paths = parts.filter((part) => typeof part === 'string' && part.endsWith('.json'));
  const files = [...(tool === 'claude-code' ? ['.mcp.json'] : []), ...(paths as string[])];
  // The list of installed plugins is no manifest.
  const own = listed ? `${dir}/.claude-plugin/plugin.json` : declaredIn;
  return [
    ...(parts.some(isObject) ? [{ path: own, place: placeOf(tool, [['mcpServers']]) }] : []),
    ...files.filter(isInside).map((file) => ({
      path: `${dir}/${file.replace(/^\.\//, '')}`,
      place: placeOf(tool, [['mcpServers'], []]),
    })),
  ];
}

/** The files in which plugins of a home, or of the machine, declare MCP servers. */
export async function pluginConfigs(
  scan: Scan,
  home: Home | undefined,
): Promise<ConfigCandidate[]> {
  const roots = await pluginRoots(scan);
  return roots.filter((root) => root.home?.dir === home?.dir).flatMap(configsOf);
}
