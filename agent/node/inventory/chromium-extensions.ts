import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import { chromiumBrowsers } from '#domain/app-catalog/browsers.ts';
import {
  type InstalledExtension,
  browserRoots,
  chromiumProfiles,
  type BrowserProfile,
} from './browser-profiles.ts';
import { readBrowserFile, type Fields } from './browser-file.ts';
import { limited } from './limited.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

const MAX_EXTENSIONS = 1000;

const extensionId = /^[a-p]{32}$/;

/** What is read from large files. */
const settingsKeys = ['state', 'disable_reasons', 'location', 'path'].map((key) => [
  'extensions',
  'settings',
  '*',
  key,
]);
const manifestKeys = [
  ...['name', 'description', 'version', 'default_locale', 'permissions', 'host_permissions'].map(
    (key) => [key],
  ),
  ['content_scripts', '*', 'matches'],
];
const messageKeys = [['*', 'message']];

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Reads the profile's settings for each extension; the signed file takes precedence. */
async function settingsOf(scan: Scan, profile: BrowserProfile): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>();
  for (const name of ['Preferences', 'Secure Preferences']) {
    const settings = await readBrowserFile(scan, profile, `${profile.dir}/${name}`, settingsKeys);
    const extensions = valueAt(settings, ['extensions', 'settings']);
    for (const [id, fields] of Object.entries(isObject(extensions) ? extensions : {}))
      if (extensionId.test(id) && isObject(fields)) found.set(id, { ...found.get(id), ...fields });
  }
  return found;
}

const numbers = (name: string) => name.split(/[._]/).map(Number);

function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((part, i) => part !== (right[i] ?? 0));
  return at < 0 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
}

/**
 * Returns the newest version's folder. Folders are named `1.2.3_0`, and after an update the older
 * one stays until the next start.
 */
async function newestVersion(scan: Scan, dir: string): Promise<string | undefined> {
  const names = (await scan.tree.list(dir))
    .filter((item) => item.kind === 'directory' && /^\d+(\.\d+)*_\d+$/.test(item.name))
    .map((item) => item.name);
  const newest = names.toSorted(compareVersions)[0];
  return newest === undefined ? undefined : `${dir}/${newest}`;
}

const placeholder = /^__MSG_([\w@]+)__$/;

const textIn = (fields: Fields, key: string): string => {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
};

/**
 * Returns name and description of an extension. `__MSG_appName__` refers to a text in its default
 * language.
 */
async function descriptionOf(
  scan: Scan,
  profile: BrowserProfile,
  dir: string,
  manifest: Fields,
): Promise<{ name: string; description: string }> {
  const own = { name: textIn(manifest, 'name'), description: textIn(manifest, 'description') };
  const locale = textIn(manifest, 'default_locale');
  const isTranslated = placeholder.test(own.name) || placeholder.test(own.description);
  if (!isTranslated || !/^\w+$/.test(locale)) return own;
  const path = `${dir}/_locales/${locale}/messages.json`;
  const messages = Object.entries((await readBrowserFile(scan, profile, path, messageKeys)) ?? {});
  const translated = (text: string): string => {
    const key = placeholder.exec(text)?.[1]?.toLowerCase();
    const found = messages.find(([title]) => title.toLowerCase() === key);
    const message = valueAt(found?.[1], ['message']);
    return typeof message === 'string' ? message : text;
  };
  return { name: translated(own.name), description: translated(own.description) };
}

const isHostPattern = (permission: string) =>
  permission === '<all_urls>' || permission.includes('://');

function accessOf(manifest: Fields) {
  const permissions = texts(manifest['permissions']);
  const scripts = Array.isArray(manifest['content_scripts']) ? manifest['content_scripts'] : [];
  const hosts = [
    ...permissions.filter(isHostPattern),
    ...texts(manifest['host_permissions']),
    ...scripts.flatMap((script: unknown) => texts(valueAt(script, ['matches']))),
  ];
  return {
    permissions: permissions.filter((permission) => !isHostPattern(permission)),
    hosts: [...new Set(hosts)],
  };
}

const unpackedLocations: readonly unknown[] = [4, 8];

/**
 * Whether the extension is enabled. Older versions store a state, newer ones only the reasons for
 * which it is disabled.
 */
function isEnabled(settings: Fields | undefined): boolean | undefined {
  if (!settings) return undefined;
  const reasons = settings['disable_reasons'];
  if (Array.isArray(reasons) ? reasons.length > 0 : typeof reasons === 'number' && reasons > 0)
    return false;

  return settings['state'] === undefined ? true : settings['state'] === 1;
}

async function inspect(
  scan: Scan,
  profile: BrowserProfile,
  at: { id: string; dir: string; settings: Fields | undefined },
): Promise<InstalledExtension[]> {
  const declaredIn = `${at.dir}/manifest.json`;
  const manifest = await readBrowserFile(scan, profile, declaredIn, manifestKeys);
  if (!manifest) return [];
  return [
    {
      ...accessOf(manifest),
      id: at.id,
      ...(await descriptionOf(scan, profile, at.dir, manifest)),
      version: textIn(manifest, 'version') || null,
      path: at.dir,
      enabled: isEnabled(at.settings),
      unpacked: unpackedLocations.includes(at.settings?.['location']),
      profile,
      declaredIn,
    },
  ];
}

/** The folder of an unpacked extension, which may be anywhere, from the settings. */
const unpackedDir = (settings: Fields | undefined): string | undefined => {
  const path = settings?.['path'];
  const isUnpacked = unpackedLocations.includes(settings?.['location']);
  return isUnpacked && typeof path === 'string' && path.startsWith('/') ? path : undefined;
};

async function extensionsIn(
  scan: Scan,
  profile: BrowserProfile,
  known: ReadonlyMap<string, unknown>,
): Promise<InstalledExtension[]> {
  const settings = await settingsOf(scan, profile);
  const dir = `${profile.dir}/Extensions`;
  const folders = (await scan.tree.list(dir))
    .map((item) => item.name)
    .filter((name) => extensionId.test(name));
  const unpacked = [...settings.keys()].filter((id) => unpackedDir(settings.get(id)));
  // Extensions of the catalog come first, so that a folder full of others does not hide them.
  const ids = [...new Set([...folders, ...unpacked])].toSorted(
    (a, b) => Number(known.has(b)) - Number(known.has(a)),
  );
  const found: InstalledExtension[] = [];
  for (const id of limited(scan, ids, MAX_EXTENSIONS, { path: `${dir}/`, of: 'extensions' })) {
    scan.checkpoint();
    const own = settings.get(id);
    const place = unpackedDir(own) ?? (await newestVersion(scan, `${dir}/${id}`));
    if (place !== undefined)
      found.push(...(await inspect(scan, profile, { id, dir: place, settings: own })));
  }
  return found;
}

/** Extensions of all browsers of the Chromium family. */
export async function chromiumExtensions(
  scan: Scan,
  known: ReadonlyMap<string, unknown>,
): Promise<InstalledExtension[]> {
  const found: InstalledExtension[] = [];
  for (const root of await browserRoots(scan, chromiumBrowsers))
    for (const profile of await chromiumProfiles(scan, root))
      found.push(...(await extensionsIn(scan, profile, known)));

  return found;
}
