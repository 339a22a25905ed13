import { bundleIdIsAboutAi, isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import type { Signal } from '#agent/core/recognition/signals.ts';
import { displayName } from '#agent/core/display.ts';
import { desktopApps } from '#domain/app-catalog/desktop-apps.ts';
import type { Finding } from '../finding.ts';
import { readInfoPlist, textIn, type Manifest } from '../manifest.ts';
import type { Home, Scan } from '../platform-paths/platform-paths.ts';
import { aiEvidenceInElectron, callsModels, modelEngineIn } from './app-contents.ts';
import { addressInProgram } from './model-calls.ts';

const byBundleId = new Map(
  desktopApps.flatMap((entry) => (entry.darwin?.bundleIds ?? []).map((id) => [id, entry])),
);

/**
 * The folder depth of the search: installers such as Setapp and JetBrains Toolbox use folders of
 * their own.
 */
const MAX_DEPTH = 3;

interface Bundle {
  path: string;
  home: Home | undefined;
}

async function bundlesIn(scan: Scan, dir: string, home: Home | undefined, depth = 1) {
  const found: Bundle[] = [];
  for (const item of await scan.tree.list(dir)) {
    const path = `${dir}/${item.name}`;
    if (item.name.endsWith('.app')) found.push({ path, home });
    else if (item.kind === 'directory' && depth < MAX_DEPTH && !item.name.startsWith('.'))
      found.push(...(await bundlesIn(scan, path, home, depth + 1)));
  }
  return found;
}

/**
 * Reads a bundle's Info.plist. Apps for iPhone and iPad have their bundle behind the link
 * `WrappedBundle`.
 */
async function readBundleInfo(scan: Scan, path: string): Promise<Manifest | undefined> {
  return (
    (await readInfoPlist(scan, `${path}/Contents/Info.plist`)) ??
    (await readInfoPlist(scan, `${path}/WrappedBundle/Info.plist`))
  );
}

/** Whether the bundle exists and has a bundle id of the catalog. It is then found by that id. */
export async function isCatalogBundle(scan: Scan, path: string): Promise<boolean> {
  const info = await readBundleInfo(scan, path);
  return info !== undefined && byBundleId.has(textIn(info, 'CFBundleIdentifier') ?? '');
}

const fileOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, -'.app'.length);

const versionIn = (info: Manifest): string | null =>
  textIn(info, 'CFBundleShortVersionString') ?? textIn(info, 'CFBundleVersion') ?? null;

/** Evidence that an app outside the catalog is about AI: in its name or its components. */
async function aiEvidence(
  scan: Scan,
  { path }: Bundle,
  info: Manifest,
): Promise<Signal | undefined> {
  const [id, ...titles] = ['CFBundleIdentifier', 'CFBundleDisplayName', 'CFBundleName'].map((key) =>
    textIn(info, key),
  );
  const title = [...titles, fileOf(path)].find((name) => name !== undefined && isAboutAi({ name }));
  if (title !== undefined) {
    const text = `its name says that it is about AI: ${displayName(title)}`;
    return { kind: 'description', text };
  }
  if (id !== undefined && bundleIdIsAboutAi(id))
    return {
      kind: 'description',
      text: `its bundle id says that it is about AI: ${displayName(id)}`,
    };

  const purpose = purposesIn(info).find((summary) => isAboutAi({ name: '', summary }));
  if (purpose !== undefined)
    return { kind: 'description', text: `it says what it is for: ${displayName(purpose)}` };

  return aiEvidenceInContents(scan, path, info);
}

/**
 * Returns the sentences with which an app requests access to the microphone, the screen and other
 * resources.
 */
const purposesIn = (info: Manifest): string[] =>
  Object.entries(info).flatMap(([key, value]) =>
    key.endsWith('UsageDescription') && typeof value === 'string' ? [value] : [],
  );

/** Evidence in the files of a bundle. */
async function aiEvidenceInContents(
  scan: Scan,
  path: string,
  info: Manifest,
): Promise<Signal | undefined> {
  const declaredIn = await aiEvidenceInElectron(scan, path, `${path}/Contents/Resources`);
  if (declaredIn) return declaredIn;
  const main = textIn(info, 'CFBundleExecutable') ?? fileOf(path);
  const engine = await modelEngineIn(scan, path, main);
  if (engine !== undefined) return { kind: 'mark', text: `it brings ${engine}` };
  for (const program of programsIn(path, main)) {
    const address = await addressInProgram(scan, path, program);
    if (address !== undefined) return callsModels(address);
  }
  return undefined;
}

/** Returns the main program, and the library with the code of an app made with Flutter. */
function programsIn(path: string, main: string): string[] {
  return [
    ...(main.includes('/') ? [] : [`${path}/Contents/MacOS/${main}`]),
    `${path}/Contents/Frameworks/App.framework/App`,
  ];
}

async function described(scan: Scan, bundle: Bundle, info: Manifest): Promise<Finding[]> {
  const { path, home } = bundle;
  const signal = await aiEvidence(scan, bundle, info);
  if (!signal) return [];
  const title = textIn(info, 'CFBundleDisplayName') ?? textIn(info, 'CFBundleName') ?? fileOf(path);
  return [
    {
      kind: 'desktop_app',
      name: displayName(title),
      catalogId: null,
      version: versionIn(info),
      path,
      user: home?.user ?? null,
      signals: [{ kind: 'location', text: `app bundle ${path}` }, signal],
    },
  ];
}

async function inspect(scan: Scan, { path, home }: Bundle): Promise<Finding[]> {
  const info = await readBundleInfo(scan, path);
  const id = info && textIn(info, 'CFBundleIdentifier');
  const entry = id === undefined ? undefined : byBundleId.get(id);
  const name = fileOf(path);
  if (info && !entry) return described(scan, { path, home }, info);
  if (!info || !entry) return [];
  const isNamed = entry.darwin?.appNames.includes(name);
  return [
    {
      kind: 'desktop_app',
      name: entry.name,
      catalogId: entry.id,
      version: versionIn(info),
      path,
      user: home?.user ?? null,
      signals: [
        { kind: 'location', text: `app bundle ${path}` },
        { kind: 'manifest', text: `bundle id ${id}` },
        ...(isNamed ? [{ kind: 'name', text: `called ${name}` } as const] : []),
      ],
    },
  ];
}

/**
 * App bundles in the catalog or with an AI name, in /Applications and every home's Applications.
 */
export async function findDesktopApps(scan: Scan): Promise<Finding[]> {
  const dirs = [
    { dir: '/Applications', home: undefined },
    ...scan.homes.map((home) => ({ dir: `${home.dir}/Applications`, home })),
  ];
  const found: Finding[] = [];
  for (const { dir, home } of dirs)
    for (const bundle of await bundlesIn(scan, dir, home)) {
      scan.checkpoint();
      found.push(...(await inspect(scan, bundle)));
    }

  return found;
}
