import { valueAt } from '#agent/core/recognition/mcp-server.ts';
import { builtInFeatures } from '#domain/app-catalog/built-in-features.ts';
import { readConfig } from '../config-file.ts';
import { expand } from '../expand.ts';
import type { Finding } from '../finding.ts';
import { readJsonManifest, textIn } from '../manifest.ts';
import type { Home, Scan } from '../platform-paths/platform-paths.ts';
import { findingOfFeature } from './finding-of-feature.ts';

/** The resource folders of VS Code, by the name of its settings folder; `~` is a home. */
const vscodePaths = {
  Code: [
    '/Applications/Visual Studio Code.app/Contents/Resources/app',
    '~/Applications/Visual Studio Code.app/Contents/Resources/app',
    '/usr/share/code/resources/app',
    '/opt/visual-studio-code/resources/app',
    '/snap/code/current/usr/share/code/resources/app',
    '/var/lib/flatpak/app/com.visualstudio.code/current/active/files/extra/vscode/resources/app',
    '~/.local/share/flatpak/app/com.visualstudio.code/current/active/files/extra/vscode/resources/app',
  ],
  'Code - Insiders': [
    '/Applications/Visual Studio Code - Insiders.app/Contents/Resources/app',
    '~/Applications/Visual Studio Code - Insiders.app/Contents/Resources/app',
    '/usr/share/code-insiders/resources/app',
    '/opt/visual-studio-code-insiders/resources/app',
    '/snap/code-insiders/current/usr/share/code-insiders/resources/app',
  ],
} as const;

interface InstallPath {
  path: string;
  user: string | null;
}

/** Returns the existing paths of a pattern on the machine or, with `~`, in each home. */
async function findInstallPaths(scan: Scan, pattern: string): Promise<InstallPath[]> {
  if (!pattern.startsWith('~'))
    return (await expand(scan.tree, pattern)).map((path) => ({ path, user: null }));

  const found: InstallPath[] = [];
  for (const { dir, user } of scan.homes) {
    const paths = await expand(scan.tree, `${dir}${pattern.slice(1)}`);
    found.push(...paths.map((path) => ({ path, user })));
  }
  return found;
}

async function settingsOf(scan: Scan, home: Home, folder: string): Promise<unknown> {
  const path = `${home.dir}/${scan.platformPaths.appData}/${folder}/User/settings.json`;
  return (await readConfig(scan, home, path, 'json'))?.document;
}

/** Notes that a user switched off the AI features of VS Code. There is no note for other users. */
async function disabledNotes(scan: Scan, folder: string, user: string | null): Promise<string[]> {
  const notes: string[] = [];
  for (const home of scan.homes.filter((each) => user === null || each.user === user)) {
    const settings = await settingsOf(scan, home, folder);
    if (valueAt(settings, ['chat.disableAIFeatures']) === true)
      notes.push(`switched off by ${home.user} (chat.disableAIFeatures)`);
    else if (valueAt(settings, ['github.copilot.enable', '*']) === false)
      notes.push(`completions switched off by ${home.user} (github.copilot.enable)`);
  }
  return notes;
}

const copilotNames = new Set(['copilot', 'copilot-chat']);

async function bundledCopilot(scan: Scan, app: InstallPath, folder: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const path of await expand(scan.tree, `${app.path}/extensions/*copilot*`)) {
    const manifest = await readJsonManifest(scan.tree, `${path}/package.json`);
    const publisher = (manifest && textIn(manifest, 'publisher'))?.toLowerCase();
    const name = (manifest && textIn(manifest, 'name'))?.toLowerCase() ?? '';
    if (publisher !== 'github' || !copilotNames.has(name)) continue;
    found.push(
      findingOfFeature(builtInFeatures.vscodeCopilot, {
        path,
        user: app.user,
        version: (manifest && textIn(manifest, 'version')) ?? null,
        signals: [
          { kind: 'location', text: `in ${path}, shipped with the editor` },
          { kind: 'manifest', text: `its package.json names github.${name}` },
        ],
        notes: await disabledNotes(scan, folder, app.user),
      }),
    );
  }
  return found;
}

async function inVscode(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [folder, patterns] of Object.entries(vscodePaths))
    for (const pattern of patterns)
      for (const app of await findInstallPaths(scan, pattern))
        found.push(...(await bundledCopilot(scan, app, folder)));

  return found;
}

const zedPaths = [
  '/Applications/Zed*.app/Contents/Info.plist',
  '~/Applications/Zed*.app/Contents/Info.plist',
  '~/.local/zed*.app/bin/zed',
  '/usr/bin/zeditor',
  '/usr/lib/zed/zed-editor',
  '/var/lib/flatpak/app/dev.zed.Zed',
  '~/.local/share/flatpak/app/dev.zed.Zed',
];

function zedNotes(settings: unknown): string[] {
  if (valueAt(settings, ['disable_ai']) === true) return ['switched off (disable_ai)'];
  return valueAt(settings, ['agent']) === undefined ? [] : ['its agent is configured'];
}

/** Finds Zed if the editor is installed and the user has settings for it. */
async function inZed(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const pattern of zedPaths)
    for (const app of await findInstallPaths(scan, pattern))
      for (const home of scan.homes.filter(({ user }) => app.user === null || app.user === user)) {
        const path = `${home.dir}/.config/zed/settings.json`;
        const config = await readConfig(scan, home, path, 'json');
        if (!config) continue;
        found.push(
          findingOfFeature(builtInFeatures.zedAi, {
            path,
            user: home.user,
            signals: [
              { kind: 'location', text: `Zed in ${app.path}` },
              { kind: 'declaration', text: `its settings in ${path}` },
            ],
            notes: zedNotes(config.document),
          }),
        );
      }

  return found;
}

const fullLinePaths = [
  '/Applications/*.app/Contents/plugins/fullLine',
  '~/Applications/*.app/Contents/plugins/fullLine',
  '/opt/*/plugins/fullLine',
  '/opt/*/*/plugins/fullLine',
  '/snap/*/current/plugins/fullLine',
  '~/.local/share/JetBrains/Toolbox/apps/*/plugins/fullLine',
  '~/.local/share/JetBrains/Toolbox/apps/*/*/*/plugins/fullLine',
];
const FULL_LINE_ID = 'org.jetbrains.completion.full.line';
const productInfo = ['product-info.json', 'Resources/product-info.json'];
const LIST_LIMIT = 64 * 1024;

async function disabledPluginNotes(
  scan: Scan,
  user: string | null,
  folder: string,
): Promise<string[]> {
  const notes: string[] = [];
  for (const home of scan.homes.filter((each) => user === null || each.user === user)) {
    const path = `${home.dir}/${scan.platformPaths.appData}/JetBrains/${folder}/disabled_plugins.txt`;
    const content = await scan.tree.read(path, LIST_LIMIT);
    const text = content && 'bytes' in content ? content.bytes.toString('utf8') : '';
    if (text.split(/\s+/).includes(FULL_LINE_ID)) notes.push(`switched off by ${home.user}`);
  }
  return notes;
}

async function inJetbrains(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const plugin of (
    await Promise.all(fullLinePaths.map((each) => findInstallPaths(scan, each)))
  ).flat()) {
    const ide = plugin.path.slice(0, -'/plugins/fullLine'.length);
    const files = productInfo.map((file) => readJsonManifest(scan.tree, `${ide}/${file}`));
    const product = (await Promise.all(files)).find((manifest) => manifest !== undefined);
    const name = product && textIn(product, 'name');
    if (!product || name === undefined) continue;
    found.push(
      findingOfFeature(builtInFeatures.jetbrainsFullLine, {
        ...plugin,
        version: textIn(product, 'version') ?? null,
        signals: [
          { kind: 'location', text: `in ${plugin.path}, shipped with the editor` },
          { kind: 'manifest', text: `of ${name}` },
        ],
        notes: await disabledPluginNotes(
          scan,
          plugin.user,
          textIn(product, 'dataDirectoryName') ?? name,
        ),
      }),
    );
  }
  return found;
}

/** Finds AI features that editors include, without an extension that a person installed. */
export const findEditorFeatures = async (scan: Scan): Promise<Finding[]> => [
  ...(await inVscode(scan)),
  ...(await inZed(scan)),
  ...(await inJetbrains(scan)),
];
