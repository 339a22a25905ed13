import { vscodeExtensionIsAboutAi } from '#agent/core/recognition/description/editor-extension.ts';
import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import { displayName } from '#agent/core/display.ts';
import { editorExtensions } from '#domain/app-catalog/editor-extensions.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { fixedFolder, limited } from './limited.ts';
import { readJsonManifest, textIn, type Manifest } from './manifest.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

/** The VS Code family stores extensions in the home, with the same names on every system. */
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

/** Development containers: layers of images and containers, and volumes with a server. */
const containerDirs = [
  '/var/lib/docker/overlay2/*/diff',
  '/var/lib/docker/volumes/*/_data',
  '/var/lib/containers/storage/overlay/*/diff',
];
const homesInContainers = ['root/', 'home/*/', ''];
/** The maximum number of searched layers or volumes in one place: a machine may have thousands. */
const MAX_CONTAINERS = 500;

const byId = new Map(
  editorExtensions.flatMap((entry) => (entry.vscode ?? []).map((id) => [id, entry])),
);

/** Folder names are `publisher.name-1.2.3`, optionally with a platform after it. */
function idOfFolder(name: string): string | undefined {
  return /^([\w-]+\.[\w-]+?)-\d+\.\d+/.exec(name)?.[1]?.toLowerCase();
}

/** The number of unknown extensions per folder whose manifest is read. */
const MAX_UNKNOWN = 1000;

const placeholder = /^%([\w.-]+)%$/;

/**
 * A text such as `%displayName%` refers to one in `package.nls.json`, which is a string or an object
 * with a `message`. Source: src/vs/platform/extensionManagement/common/extensionNls.ts of
 * https://github.com/microsoft/vscode
 */
function translated(text: string, texts: Manifest): string {
  const key = placeholder.exec(text)?.[1];
  if (key === undefined) return text;
  const found = valueAt(texts, [key]);
  const message = isObject(found) ? found['message'] : found;
  return typeof message === 'string' ? message : '';
}

/** The manifest with title and description in the extension's default language. */
async function inOwnLanguage(scan: Scan, dir: string, manifest: Manifest): Promise<Manifest> {
  const own = {
    displayName: textIn(manifest, 'displayName') ?? '',
    description: textIn(manifest, 'description') ?? '',
  };
  const isTranslated = Object.values(own).some((text) => placeholder.test(text));
  const texts = isTranslated
    ? ((await readJsonManifest(scan.tree, `${dir}/package.nls.json`)) ?? {})
    : {};
  return {
    ...manifest,
    displayName: translated(own.displayName, texts),
    description: translated(own.description, texts),
  };
}

interface Folder {
  path: string;
  id: string;
  home: Home | undefined;
}

/** The manifest of a folder, if it is that of the extension in the folder's name. */
async function ownManifest(scan: Scan, { path, id }: Folder): Promise<Manifest | undefined> {
  const manifest = await readJsonManifest(scan.tree, `${path}/package.json`);
  if (!manifest) return undefined;
  const own = `${textIn(manifest, 'publisher')}.${textIn(manifest, 'name')}`;
  return own.toLowerCase() === id ? manifest : undefined;
}

const findingOf = ({ path, id, home }: Folder, manifest: Manifest | undefined) => ({
  kind: 'editor_extension' as const,
  version: (manifest && textIn(manifest, 'version')) || null,
  path,
  user: home?.user ?? null,
  signals: [
    { kind: 'location', text: `extension folder ${path}` } as const,
    ...(manifest ? [{ kind: 'manifest', text: `its package.json names ${id}` } as const] : []),
  ],
});

/** Extensions in the catalog, and those that describe themselves as AI. */
async function inspect(scan: Scan, folder: Folder): Promise<Finding[]> {
  const entry = byId.get(folder.id);
  const manifest = await ownManifest(scan, folder);
  const found = findingOf(folder, manifest);
  if (entry) return [{ ...found, name: entry.name, catalogId: entry.id }];
  if (!manifest) return [];
  const described = await inOwnLanguage(scan, folder.path, manifest);
  const title = textIn(described, 'displayName') ?? '';
  if (!vscodeExtensionIsAboutAi(described, title)) return [];
  const notes = ['its package.json says that it is about AI'];
  return [{ ...found, name: displayName(title || folder.id), catalogId: null, notes }];
}

/** Old versions that stay until the editor restarts after an update or removal. */
async function obsoleteExtensions(scan: Scan, dir: string): Promise<ReadonlySet<string>> {
  const obsolete = await readJsonManifest(scan.tree, `${dir}/.obsolete`);
  return new Set(Object.keys(obsolete ?? {}));
}

async function extensionsIn(scan: Scan, dir: string, home: Home | undefined): Promise<Finding[]> {
  const obsolete = await obsoleteExtensions(scan, dir);
  const folders = (await scan.tree.list(dir)).flatMap(({ name }): Folder[] => {
    const id = obsolete.has(name) ? undefined : idOfFolder(name);
    return id === undefined ? [] : [{ path: `${dir}/${name}`, id, home }];
  });
  const known = folders.filter(({ id }) => byId.has(id));
  const others = folders.filter(({ id }) => !byId.has(id));
  const at = { path: `${dir}/`, of: 'extensions' };
  const found: Finding[] = [];
  for (const folder of [...known, ...limited(scan, others, MAX_UNKNOWN, at)]) {
    scan.checkpoint();
    found.push(...(await inspect(scan, folder)));
  }
  return found;
}

async function containers(scan: Scan): Promise<string[]> {
  const found: string[] = [];
  for (const pattern of containerDirs) {
    const at = { path: fixedFolder(pattern), of: 'layers or volumes of containers' };
    found.push(...limited(scan, await expand(scan.tree, pattern), MAX_CONTAINERS, at));
  }
  return found;
}

/** VS Code servers in containers, whose user is unknown. */
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
  for (const home of scan.homes)
    for (const dir of await Promise.all(
      extensionDirs.map((pattern) => expand(scan.tree, `${home.dir}/${pattern}`)),
    ))
      for (const path of dir) found.push(...(await extensionsIn(scan, path, home)));

  return found;
}
