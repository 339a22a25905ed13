import { editorExtensions } from '#agent/core/app-catalog/editor-extensions.ts';
import type { EditorExtension } from '#agent/core/app-catalog/entry.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { readJsonManifest, textIn } from './manifest.ts';
import type { Home, Scan } from './places/places.ts';

/** The VS Code family keeps extensions in the home, under the same names on every system. */
const editors = [
  'vscode',
  'vscode-insiders',
  'vscode-exploration',
  'vscode-oss',
  'vscodium-insiders',
  'cursor',
  'windsurf',
  'windsurf-next',
  'kiro',
  'antigravity',
  'antigravity-ide',
  'trae',
  'trae-cn',
  'qoder',
  'codebuddy',
  'void-editor',
  'positron',
];

const extensionDirs = [
  ...editors.flatMap((name) => [`.${name}/extensions`, `.${name}-server/extensions`]),
  '.vscodium-server/extensions',
  '.vscode-remote/extensions',
  '.vscode-server/data/Machine/extensions',
  '.local/share/code-server/extensions',
  '.openvscode-server/extensions',
  // Flatpaks.
  '.var/app/com.visualstudio.code/data/vscode/extensions',
  '.var/app/com.vscodium.codium/data/codium/extensions',
  '.var/app/com.vscodium.codium/data/vscodium/extensions',
];

/** Development containers: layers of images and containers, and the volumes that hold a server. */
const containerDirs = [
  '/var/lib/docker/overlay2/*/diff',
  '/var/lib/docker/volumes/*/_data',
  '/var/lib/containers/storage/overlay/*/diff',
];
const homesInContainers = ['root/', 'home/*/', ''];
/** Of one machine's images, which can be thousands of layers. */
const maxContainers = 500;

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
  at: { path: string; id: string; home: Home | undefined },
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
    user: at.home?.user ?? null,
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

async function extensionsIn(scan: Scan, dir: string, home: Home | undefined): Promise<Finding[]> {
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

async function containers(scan: Scan): Promise<string[]> {
  const found = await Promise.all(containerDirs.map((pattern) => expand(scan.tree, pattern)));
  const dirs = found.flat();
  if (dirs.length > maxContainers) {
    scan.problem(`${dirs.length} layers and volumes of containers, ${maxContainers} searched`);
  }
  return dirs.slice(0, maxContainers);
}

/** Servers of VS Code in containers: whose they are is not known. */
async function inContainers(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const container of await containers(scan)) {
    scan.checkpoint();
    const patterns = homesInContainers.map((home) => `${container}/${home}.*-server/extensions`);
    const dirs = await Promise.all(patterns.map((pattern) => expand(scan.tree, pattern)));
    for (const dir of dirs.flat()) found.push(...(await extensionsIn(scan, dir, undefined)));
  }
  return found;
}

/** AI extensions of VS Code and the editors built from it. */
export async function findVscodeExtensions(scan: Scan): Promise<Finding[]> {
  const found = await inContainers(scan);
  for (const home of scan.homes) {
    for (const dir of await Promise.all(
      extensionDirs.map((pattern) => expand(scan.tree, `${home.dir}/${pattern}`)),
    )) {
      for (const path of dir) found.push(...(await extensionsIn(scan, path, home)));
    }
  }
  return found;
}
