import { isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { displayName } from '#agent/core/display.ts';
import { commandLineTools } from '#domain/app-catalog/command-line-tools.ts';
import { desktopApps } from '#domain/app-catalog/desktop-apps.ts';
import type { DesktopApp } from '#domain/app-catalog/entry.ts';
import { CONFIG_LIMIT } from './config-file.ts';
import { isCatalogBundle } from './desktop-apps/darwin.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { readJsonManifest, textIn } from './manifest.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

const known: ReadonlySet<string> = new Set(commandLineTools.flatMap((entry) => entry.brew ?? []));
const knownCasks: ReadonlySet<string> = new Set([
  ...known,
  ...commandLineTools.flatMap((entry) => entry.casks ?? []),
]);
/** Apps of the catalog by the cask that is the source of their ids. */
const appsByCask: ReadonlyMap<string, DesktopApp> = new Map(
  desktopApps.flatMap((entry) => {
    const [, token] = /^https:\/\/formulae\.brew\.sh\/cask\/(.+)$/.exec(entry.source) ?? [];
    return token === undefined || !entry.darwin ? [] : [[token, entry] as const];
  }),
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

/** The catalog's app that the cask installs, by the cask's name and the name of a bundle. */
function appOfCask(name: string, apps: readonly string[]): DesktopApp | undefined {
  const entry = appsByCask.get(name);
  return apps.some((app) => entry?.darwin?.appNames.includes(app)) ? entry : undefined;
}

/** Whether one of the bundles is found by its bundle id. */
async function isFoundByBundle(scan: Scan, apps: readonly string[]): Promise<boolean> {
  const dirs = ['/Applications', ...scan.homes.map(({ dir }) => `${dir}/Applications`)];
  const paths = dirs.flatMap((dir) => apps.map((app) => `${dir}/${app}.app`));
  const found = await Promise.all(paths.map((path) => isCatalogBundle(scan, path)));
  return found.includes(true);
}

/**
 * A cask that describes itself as AI, or that installs an app of the catalog. An app that is found
 * by its bundle id is not reported again.
 */
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
  const entry = appOfCask(keg.name, apps);
  if (!entry && !isAboutAi({ name: keg.name, summary })) return [];
  if (await isFoundByBundle(scan, apps)) return [];
  const kind = apps.length > 0 ? 'desktop_app' : 'cli';
  const path = keg.path.replace(/\/\.metadata$/, '');
  return [findingOf(kind, { ...keg, path }, declaredIn, entry)];
}

const findingOf = (
  kind: 'cli' | 'desktop_app',
  { path, name, home }: Keg,
  declaredIn: string,
  entry?: DesktopApp,
): Finding => ({
  kind,
  name: entry?.name ?? displayName(name),
  catalogId: entry?.id ?? null,
  version: kind === 'cli' && path.includes('/Cellar/') ? (path.split('/').at(-1) ?? null) : null,
  path,
  user: home?.user ?? null,
  signals: [
    { kind: 'registration', text: `Homebrew keeps it in ${path}` },
    entry
      ? { kind: 'manifest', text: `${declaredIn} names it` }
      : { kind: 'description', text: `${declaredIn} describes it` },
  ],
  notes: [entry ? 'the catalog has its cask' : 'its description says that it is about AI'],
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
