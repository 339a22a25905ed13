import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import { firefoxBrowsers } from '#domain/app-catalog/browsers.ts';
import {
  type InstalledExtension,
  browserRoots,
  firefoxProfiles,
  type BrowserProfile,
} from './browser-profiles.ts';
import { readBrowserFile } from './browser-file.ts';
import { limited } from './limited.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

const MAX_EXTENSIONS = 1000;

/** What is read from a large list of add-ons. */
const addonKeys = [
  ...['id', 'location', 'type', 'path', 'version', 'active', 'temporarilyInstalled'].map((key) => [
    key,
  ]),
  ['defaultLocale', 'name'],
  ['defaultLocale', 'description'],
  ['userPermissions', 'permissions'],
  ['userPermissions', 'origins'],
].map((path) => ['addons', '*', ...path]);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function readAddon(addon: unknown, profile: BrowserProfile, list: string): InstalledExtension[] {
  const id = text(valueAt(addon, ['id']));
  const isOwn = text(valueAt(addon, ['location'])).startsWith('app-builtin');
  if (!isObject(addon) || id === '' || addon['type'] !== 'extension' || isOwn) return [];
  const path = text(addon['path']);
  return [
    {
      id,
      name: text(valueAt(addon, ['defaultLocale', 'name'])) || id,
      description: text(valueAt(addon, ['defaultLocale', 'description'])),
      version: text(addon['version']) || null,
      path: path.startsWith('/') ? path : list,
      enabled: typeof addon['active'] === 'boolean' ? addon['active'] : undefined,
      unpacked: valueAt(addon, ['temporarilyInstalled']) === true,
      permissions: texts(valueAt(addon, ['userPermissions', 'permissions'])),
      hosts: texts(valueAt(addon, ['userPermissions', 'origins'])),
      profile,
      declaredIn: list,
    },
  ];
}

async function addonsIn(scan: Scan, profile: BrowserProfile): Promise<InstalledExtension[]> {
  const list = `${profile.dir}/extensions.json`;
  const addons = valueAt(await readBrowserFile(scan, profile, list, addonKeys), ['addons']);
  if (!Array.isArray(addons)) return [];
  const at = { path: list, of: 'extensions' };
  return limited<unknown>(scan, addons, MAX_EXTENSIONS, at).flatMap((addon) =>
    readAddon(addon, profile, list),
  );
}

/** Extensions of Firefox and the browsers made of it, as each profile lists them. */
export async function firefoxExtensions(scan: Scan): Promise<InstalledExtension[]> {
  const found: InstalledExtension[] = [];
  for (const root of await browserRoots(scan, firefoxBrowsers))
    for (const profile of await firefoxProfiles(scan, root)) {
      scan.checkpoint();
      found.push(...(await addonsIn(scan, profile)));
    }

  return found;
}
