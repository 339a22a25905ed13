import { isObject } from '#agent/core/recognition/mcp-server.ts';
import { editorExtensions } from '#domain/app-catalog/editor-extensions.ts';
import { CONFIG_LIMIT, parseConfig } from './config-file.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { textIn, type Manifest } from './manifest.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

const byId = new Map(
  editorExtensions.flatMap((entry) => (entry.zed ?? []).map((id) => [id, entry])),
);

async function readManifest(scan: Scan, dir: string): Promise<Manifest | undefined> {
  const content = await scan.tree.read(`${dir}/extension.toml`, CONFIG_LIMIT);
  const parsed =
    content && 'bytes' in content ? await parseConfig(content.bytes, 'toml') : undefined;
  const document = parsed && 'document' in parsed ? parsed.document : undefined;
  return isObject(document) ? document : undefined;
}

/** Extensions in the catalog, and any others with MCP servers or agents. */
async function inspect(scan: Scan, dir: string, home: Home): Promise<Finding[]> {
  const manifest = await readManifest(scan, dir);
  const id = manifest && textIn(manifest, 'id');
  if (!manifest || id === undefined || !dir.endsWith(`/${id}`)) return [];
  const entry = byId.get(id);
  const servers = ['context_servers', 'agent_servers'].filter((key) => isObject(manifest[key]));
  if (!entry && servers.length === 0) return [];
  return [
    {
      kind: 'editor_extension',
      name: entry?.name ?? textIn(manifest, 'name') ?? id,
      catalogId: entry?.id ?? null,
      version: textIn(manifest, 'version') ?? null,
      path: dir,
      user: home.user,
      signals: [
        { kind: 'location', text: `Zed extension in ${dir}` },
        { kind: 'manifest', text: `its extension.toml names ${[id, ...servers].join(', ')}` },
      ],
    },
  ];
}

/** AI extensions of Zed. */
export async function findZedExtensions(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of scan.homes)
    for (const folder of scan.platformPaths.zedExtensionDirs)
      for (const dir of await expand(scan.tree, `${home.dir}/${folder}/*`)) {
        scan.checkpoint();
        found.push(...(await inspect(scan, dir, home)));
      }

  return found;
}
