import { join } from 'node:path';
import { isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { displayName } from '#agent/core/display.ts';
import { editorExtensions } from '#domain/app-catalog/editor-extensions.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { readJarEntry } from './jar-entry.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

const byId = new Map(
  editorExtensions.flatMap((entry) => (entry.jetbrains ?? []).map((id) => [id, entry])),
);

const MAX_JARS = 50;
const MAX_ELEMENT = 200;
const DESCRIPTOR = 'META-INF/plugin.xml';

/**
 * Returns the text of an element directly in the descriptor. A regular expression suffices for the
 * two flat elements that are read.
 */
const element = (xml: string, name: string) =>
  new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1]?.trim().slice(0, MAX_ELEMENT);

/** The beginning of the description, without its markup. */
function descriptionIn(xml: string): string {
  const [, text = ''] = /<description>([\s\S]{1,2000})/.exec(xml) ?? [];
  return text.replaceAll(/<!\[CDATA\[|<[^>]*>|\s+/g, ' ').trim();
}

/** Describes a plugin that is in the catalog, or that says itself that it is about AI. */
function pluginIn(xml: string) {
  const id = element(xml, 'id') ?? '';
  const entry = byId.get(id);
  const version = element(xml, 'version') ?? null;
  if (entry) return { name: entry.name, catalogId: entry.id, version };
  const name = element(xml, 'name') ?? '';
  const isPlugin = /<idea-plugin[\s>]/.test(xml) && id !== '';
  if (!isPlugin || !isAboutAi({ name, summary: descriptionIn(xml) })) return undefined;
  return { name: displayName(name || id), catalogId: null, version };
}

/**
 * Reads the plugin's own descriptor, which is in one of the jars in its `lib`, next to those of
 * libraries; a small plugin is a single jar.
 */
async function readDescriptor(scan: Scan, dir: string) {
  const jars = dir.endsWith('.jar')
    ? [dir]
    : (await expand(scan.tree, `${dir}/lib/*.jar`)).slice(0, MAX_JARS);
  for (const jar of jars) {
    const target = await scan.tree.resolve(jar);
    if (target === undefined) continue;
    const bytes = await readJarEntry(join(scan.tree.root, target), DESCRIPTOR);
    const plugin = pluginIn(bytes?.toString('utf8') ?? '');
    if (plugin) return { jar, plugin };
  }
  return undefined;
}

async function inspect(scan: Scan, dir: string, home: Home): Promise<Finding[]> {
  const found = await readDescriptor(scan, dir);
  if (!found) return [];
  return [
    {
      ...found.plugin,
      kind: 'editor_extension',
      path: dir,
      user: home.user,
      signals: [
        { kind: 'location', text: `plugin folder ${dir}` },
        { kind: 'manifest', text: `${found.jar} says that it is this plugin` },
      ],
      notes: found.plugin.catalogId === null ? ['it says that it is about AI'] : [],
    },
  ];
}

/** AI plugins that people installed into JetBrains IDEs and Android Studio. */
export async function findJetbrainsPlugins(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of scan.homes)
    for (const pattern of scan.platformPaths.jetbrainsPluginDirs)
      for (const dir of await expand(scan.tree, `${home.dir}/${pattern}/*`)) {
        scan.checkpoint();
        found.push(...(await inspect(scan, dir, home)));
      }

  return found;
}
