import { isSufficient, type Signal } from '#agent/core/recognition/signals.ts';
import { desktopApps } from '#domain/app-catalog/desktop-apps.ts';
import type { DesktopApp } from '#domain/app-catalog/entry.ts';
import { readDebianPackages } from '../debian-packages.ts';
import type { Finding } from '../finding.ts';
import { readJsonManifest, textIn } from '../manifest.ts';
import type { Home, Scan } from '../platform-paths/platform-paths.ts';
import { findDescribedEntries } from './described-entries.ts';
import { readSnap } from '../tool-system-packages.ts';

type LinuxSignals = NonNullable<DesktopApp['linux']>;

interface Owner {
  home: Home | undefined;
  entryDirs: readonly string[];
}

const systemEntries = [
  '/usr/share/applications',
  '/usr/local/share/applications',
  '/var/lib/flatpak/exports/share/applications',
  '/var/lib/snapd/desktop/applications',
];
const homeEntries = [
  '.local/share/applications',
  '.local/share/flatpak/exports/share/applications',
];
const appImageDirs = ['Applications', 'AppImages', '.local/bin', 'bin', 'Downloads', 'Desktop'];

/** The app's desktop entry, if it exists. */
async function entryOf(scan: Scan, linux: LinuxSignals, dirs: readonly string[]) {
  const paths = dirs.flatMap((dir) => (linux.desktopIds ?? []).map((id) => `${dir}/${id}.desktop`));
  const infos = await Promise.all(paths.map((path) => scan.tree.stat(path)));
  return paths.find((_, i) => infos[i]?.isFile());
}

/**
 * Returns the install folders of an owner. `~/` is the owner's home: apps in it are not the
 * system's.
 */
function installDirs(linux: LinuxSignals, { home }: Owner): string[] {
  const named = (linux.installDirs ?? []).filter((dir) => dir.startsWith('~') === Boolean(home));
  const flatpak = home ? `${home.dir}/.local/share/flatpak/app` : '/var/lib/flatpak/app';
  return [
    ...named.map((dir) => dir.replace(/^~/, home?.dir ?? '').slice(0, -1)),
    ...(linux.desktopIds ?? []).filter((id) => id.includes('.')).map((id) => `${flatpak}/${id}`),
  ];
}

async function installedIn(scan: Scan, linux: LinuxSignals, owner: Owner) {
  const dirs = installDirs(linux, owner);
  const infos = await Promise.all(dirs.map((dir) => scan.tree.stat(dir)));
  return dirs.find((_, i) => infos[i]?.isDirectory());
}

/** Electron apps contain a package.json, unless it is in an archive. */
async function versionIn(scan: Scan, dir: string): Promise<string | undefined> {
  const manifest = await readJsonManifest(scan.tree, `${dir}/resources/app/package.json`);
  return manifest && textIn(manifest, 'version');
}

async function snapOf(scan: Scan, linux: LinuxSignals) {
  for (const name of linux.snaps ?? []) {
    const snap = await readSnap(scan, name);
    if (snap) return { ...snap, name };
  }
  return undefined;
}

type LinuxApp = DesktopApp & { linux: LinuxSignals };

interface Evidence {
  path: string;
  version: string | undefined;
  signals: Signal[];
}

/** A folder and a desktop entry of the same owner: the system or one home. */
async function installed(scan: Scan, linux: LinuxSignals, owner: Owner): Promise<Evidence[]> {
  const found: Evidence[] = [];
  const dir = await installedIn(scan, linux, owner);
  if (dir !== undefined) {
    const signal: Signal = { kind: 'location', text: `installed in ${dir}` };
    found.push({ path: dir, version: await versionIn(scan, dir), signals: [signal] });
  }
  const entry = await entryOf(scan, linux, owner.entryDirs);
  if (entry !== undefined) {
    const signal: Signal = { kind: 'registration', text: `desktop entry ${entry}` };
    found.push({ path: entry, version: undefined, signals: [signal] });
  }
  return found;
}

/** Packages of the system. A Debian package does not reveal its folder. */
async function packaged(
  scan: Scan,
  linux: LinuxSignals,
  debs: ReadonlyMap<string, string>,
): Promise<Evidence[]> {
  const found: Evidence[] = [];
  const deb = linux.debs?.find((name) => debs.has(name));
  if (deb !== undefined) {
    const signal: Signal = { kind: 'manifest', text: `Debian package ${deb}` };
    found.push({ path: '', version: debs.get(deb), signals: [signal] });
  }
  const snap = await snapOf(scan, linux);
  if (snap) {
    const signals: Signal[] = [
      { kind: 'location', text: `mounted at ${snap.path}` },
      { kind: 'manifest', text: `snap ${snap.name}` },
    ];
    found.push({ path: snap.path, version: snap.version, signals });
  }
  return found;
}

/** The name of a desktop entry is not sufficient: a folder or package must match too. */
async function inspect(
  scan: Scan,
  entry: LinuxApp,
  owner: Owner,
  debs: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  const evidence = [
    ...(await installed(scan, entry.linux, owner)),
    ...(owner.home ? [] : await packaged(scan, entry.linux, debs)),
  ];
  const path = evidence.map((one) => one.path).find(Boolean);
  if (path === undefined) return [];
  return [
    {
      kind: 'desktop_app',
      name: entry.name,
      catalogId: entry.id,
      version: evidence.map((one) => one.version).find(Boolean) ?? null,
      path,
      user: owner.home?.user ?? null,
      signals: evidence.flatMap((one) => one.signals),
    },
  ];
}

/**
 * An AppImage is a single file anywhere: its name counts only together with a folder that its app
 * writes.
 */
async function findAppImages(scan: Scan, home: Home): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const folder of appImageDirs) {
    const dir = `${home.dir}/${folder}`;
    const images = (await scan.tree.list(dir)).filter((item) => /\.appimage$/i.test(item.name));
    for (const { name } of images) {
      const entry = desktopApps.find((app) =>
        app.linux?.appImages?.some((start) => name.startsWith(start)),
      );
      if (entry) found.push(await appImage(scan, entry, `${dir}/${name}`, home));
    }
  }
  return found;
}

async function appImage(scan: Scan, entry: DesktopApp, path: string, home: Home): Promise<Finding> {
  const settings = (entry.linux?.settings ?? []).map((dir) => `${home.dir}/${dir}`);
  const present = await Promise.all(settings.map((dir) => scan.tree.resolve(dir)));
  return {
    kind: 'desktop_app',
    name: entry.name,
    catalogId: entry.id,
    version: /[-_](\d+(?:\.\d+)+)/.exec(path.slice(path.lastIndexOf('/')))?.[1] ?? null,
    path,
    user: home.user,
    signals: [
      { kind: 'name', text: `AppImage ${path}` },
      ...settings
        .filter((_, i) => present[i] !== undefined)
        .map((dir): Signal => ({ kind: 'data', text: `settings in ${dir}` })),
    ],
  };
}

/** Apps by desktop entry, install folder and package database, for the system and every home. */
export async function findDesktopApps(scan: Scan): Promise<Finding[]> {
  const debs = await readDebianPackages(scan.tree);
  const owners: Owner[] = [
    { home: undefined, entryDirs: systemEntries },
    ...scan.homes.map((home) => ({
      home,
      entryDirs: homeEntries.map((dir) => `${home.dir}/${dir}`),
    })),
  ];
  const found: Finding[] = [];
  for (const { linux, ...entry } of desktopApps) {
    if (!linux) continue;
    for (const owner of owners) {
      scan.checkpoint();
      found.push(...(await inspect(scan, { ...entry, linux }, owner, debs)));
    }
  }
  const images = await Promise.all(scan.homes.map((home) => findAppImages(scan, home)));
  found.push(...images.flat());
  const certain = found.filter(({ signals }) => isSufficient(signals));
  const ids = new Set(certain.flatMap(({ catalogId }) => catalogId ?? []));
  return [...found, ...(await findDescribedEntries(scan, owners, ids))];
}
