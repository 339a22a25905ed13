import { editorExtensions } from '#agent/core/app-catalog/editor-extensions.ts';
import type { EditorExtension } from '#agent/core/app-catalog/entry.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { readJsonManifest, textIn } from './manifest.ts';
import type { Home, Scan } from './places/places.ts';

/** The VS Code family keeps extensions in the home, under the same names on every system. */
const extensionDirs = [
  '.vscode',
  '.vscode-insiders',
  '.vscode-oss',
  '.vscode-server',
  '.vscode-server-insiders',
  '.cursor',
  '.cursor-server',
  '.windsurf',
  '.windsurf-server',
  '.kiro',
  '.kiro-server',
  '.antigravity',
  '.trae',
  '.void-editor',
  '.positron',
].map((dir) => `${dir}/extensions`);

const byId = new Map(
  editorExtensions.flatMap((entry) => (entry.vscode ?? []).map((id) => [id, entry])),
);

/** Folders are called `publisher.name-1.2.3`, with a platform behind where there is one. */
function idOfFolder(name: string): string | undefined {
  return /^([\w-]+\.[\w-]+?)-\d+\.\d+/.exec(name)?.[1]?.toLowerCase();
}

async function inspect(
  scan: Scan,
  entry: EditorExtension,
  at: { path: string; id: string; home: Home },
): Promise<Finding> {
  const manifest = await readJsonManifest(scan.tree, `${at.path}/package.json`);
  const publisher = manifest && textIn(manifest, 'publisher');
  const name = manifest && textIn(manifest, 'name');
  const matches = `${publisher}.${name}`.toLowerCase() === at.id;
  return {
    kind: 'editor_extension',
    name: entry.name,
    catalogId: entry.id,
    version: (matches && manifest && textIn(manifest, 'version')) || null,
    path: at.path,
    user: at.home.user,
    signals: [
      { kind: 'location', text: `extension folder ${at.path}` },
      ...(matches ? [{ kind: 'manifest', text: `its package.json names ${at.id}` } as const] : []),
    ],
  };
}

/** Versions that an update or a removal left behind until the editor starts again. */
async function leftBehind(scan: Scan, dir: string): Promise<ReadonlySet<string>> {
  const obsolete = await readJsonManifest(scan.tree, `${dir}/.obsolete`);
  return new Set(Object.keys(obsolete ?? {}));
}

async function extensionsIn(scan: Scan, dir: string, home: Home): Promise<Finding[]> {
  const obsolete = await leftBehind(scan, dir);
  const found: Finding[] = [];
  for (const { name } of await scan.tree.list(dir)) {
    const id = idOfFolder(name);
    const entry = id === undefined ? undefined : byId.get(id);
    if (id === undefined || !entry || obsolete.has(name)) continue;
    scan.checkpoint();
    found.push(await inspect(scan, entry, { path: `${dir}/${name}`, id, home }));
  }
  return found;
}

/** AI extensions of VS Code and the editors built from it. */
export async function findEditorExtensions(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of scan.homes) {
    for (const pattern of extensionDirs) {
      for (const dir of await expand(scan.tree, `${home.dir}/${pattern}`)) {
        found.push(...(await extensionsIn(scan, dir, home)));
      }
    }
  }
  return found;
}
