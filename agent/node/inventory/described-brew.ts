import { isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { displayName } from '#agent/core/display.ts';
import { commandLineTools } from '#domain/app-catalog/command-line-tools.ts';
import { desktopApps } from '#domain/app-catalog/desktop-apps.ts';
import { CONFIG_LIMIT } from './config-file.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { readJsonManifest, textIn } from './manifest.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

const known: ReadonlySet<string> = new Set(commandLineTools.flatMap((entry) => entry.brew ?? []));
const knownCasks: ReadonlySet<string> = new Set([
  ...known,
  ...commandLineTools.flatMap((entry) => entry.casks ?? []),
]);
const knownApps: ReadonlySet<string> = new Set(
  desktopApps.flatMap((entry) => entry.darwin?.appNames ?? []),
);

const systemPrefixes = ['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'];
const homePrefixes = ['.linuxbrew', 'homebrew'];

interface Keg {
  path: string;
  name: string;
  home: Home | undefined;
}

/** Returns the keg of `/x/Cellar/name` and a version below it. */
const kegOf = (path: string, home: Home | undefined): Keg => {
  const [name = ''] = path.split('/').slice(-2);
  return { path, name, home };
};

async function textOf(scan: Scan, path: string): Promise<string> {
  const content = await scan.tree.read(path, CONFIG_LIMIT);
  return content && 'bytes' in content ? content.bytes.toString('utf8') : '';
}

const descriptionIn = (ruby: string): string =>
  /^[ \t]*desc[ \t]+(?:"([^"\n]{1,300})"|'([^'\n]{1,300})')/m.exec(ruby)?.slice(1).find(Boolean) ??
  '';

/** The bundle names in a cask, each at the end of a quoted text. */
const appsIn = (text: string): string[] =>
  text
    .split(/["']/)
    .slice(0, -1)
    .filter((part) => part.endsWith('.app'))
    .map((part) => part.slice(part.lastIndexOf('/') + 1, -'.app'.length));

/** A formula that the user installed directly, with a program; dependencies are ignored. */
async function formula(scan: Scan, { path, name, home }: Keg): Promise<Finding[]> {
  const receipt = await readJsonManifest(scan.tree, `${path}/INSTALL_RECEIPT.json`);
  if (known.has(name) || receipt?.['installed_on_request'] !== true) return [];
  const declaredIn = `${path}/.brew/${name}.rb`;
  const summary = descriptionIn(await textOf(scan, declaredIn));
  if (!isAboutAi({ name, summary })) return [];
  if ((await scan.tree.list(`${path}/bin`)).length === 0) return [];
  return [findingOf('cli', { path, name, home }, declaredIn)];
}

/** A cask whose bundle is not in the catalog of desktop apps. */
async function cask(scan: Scan, keg: Keg): Promise<Finding[]> {
  const [declaredIn] = (
    await Promise.all(
      ['json', 'rb'].map((suffix) =>
        expand(scan.tree, `${keg.path}/*/*/Casks/${keg.name}.${suffix}`),
      ),
    )
  ).flat();
  if (declaredIn === undefined || knownCasks.has(keg.name)) return [];
  const manifest = declaredIn.endsWith('.json')
    ? await readJsonManifest(scan.tree, declaredIn)
    : undefined;
  const text = manifest
    ? JSON.stringify(manifest['artifacts'] ?? [])
    : await textOf(scan, declaredIn);
  const apps = appsIn(text);
  const summary = manifest ? (textIn(manifest, 'desc') ?? '') : descriptionIn(text);
  if (apps.some((name) => knownApps.has(name))) return [];
  if (!isAboutAi({ name: keg.name, summary })) return [];
  const kind = apps.length > 0 ? 'desktop_app' : 'cli';
  return [findingOf(kind, { ...keg, path: keg.path.replace(/\/\.metadata$/, '') }, declaredIn)];
}

const findingOf = (
  kind: 'cli' | 'desktop_app',
  { path, name, home }: Keg,
  declaredIn: string,
): Finding => ({
  kind,
  name: displayName(name),
  catalogId: null,
  version: kind === 'cli' && path.includes('/Cellar/') ? (path.split('/').at(-1) ?? null) : null,
  path,
  user: home?.user ?? null,
  signals: [
    { kind: 'registration', text: `Homebrew keeps it in ${path}` },
    { kind: 'description', text: `${declaredIn} describes it` },
  ],
  notes: ['its description says that it is about AI'],
});

/** Homebrew packages outside the catalog that describe themselves as AI. */
export async function findDescribedBrew(scan: Scan): Promise<Finding[]> {
  const places = [
    ...systemPrefixes.map((prefix) => ({ prefix, home: undefined })),
    ...scan.homes.flatMap((home) =>
      homePrefixes.map((folder) => ({ prefix: `${home.dir}/${folder}`, home })),
    ),
  ];
  const found: Finding[] = [];
  for (const { prefix, home } of places) {
    for (const path of await expand(scan.tree, `${prefix}/Cellar/*/*`)) {
      scan.checkpoint();
      found.push(...(await formula(scan, kegOf(path, home))));
    }
    for (const path of await expand(scan.tree, `${prefix}/Caskroom/*/.metadata`)) {
      scan.checkpoint();
      found.push(...(await cask(scan, kegOf(path, home))));
    }
  }
  return found;
}
