import { firefoxBrowsers } from '#agent/core/app-catalog/browsers.ts';
import { isObject, valueAt } from '#agent/core/app-catalog/mcp-server.ts';
import type { InstalledExtension } from './installed-extension.ts';
import { readBrowserFile } from './browser-file.ts';
import { browserRoots, firefoxProfiles, type BrowserProfile } from './browser-profiles.ts';
import type { Scan } from './places/places.ts';

const maxExtensions = 1000;

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
  const addons = valueAt(await readBrowserFile(scan, profile, list), ['addons']);
  if (!Array.isArray(addons)) return [];
  if (addons.length > maxExtensions) {
    scan.notRead(list, `more than ${maxExtensions} extensions, the rest was not looked at`);
  }
  return addons
    .slice(0, maxExtensions)
    .flatMap((addon: unknown) => readAddon(addon, profile, list));
}

/** Extensions of Firefox and the browsers made of it, as each profile lists them. */
export async function firefoxExtensions(scan: Scan): Promise<InstalledExtension[]> {
  const found: InstalledExtension[] = [];
  for (const root of await browserRoots(scan, firefoxBrowsers)) {
    for (const profile of await firefoxProfiles(scan, root)) {
      scan.checkpoint();
      found.push(...(await addonsIn(scan, profile)));
    }
  }
  return found;
}
