import type { Browser } from '#domain/app-catalog/browsers.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';
import type { ExtensionAccess } from '#agent/core/extension-risks.ts';

/** A user's browser profile. */
export interface BrowserProfile {
  browser: string;
  /** The folder name, as the browser shows it in its list of profiles. */
  name: string;
  dir: string;
  home: Home;
}

/** The folder with a browser's profiles. */
export interface BrowserRoot {
  browser: string;
  dir: string;
  home: Home;
}

/** The folders of some browsers that exist in the homes. */
export async function browserRoots(
  scan: Scan,
  browsers: readonly Browser[],
): Promise<BrowserRoot[]> {
  const found: BrowserRoot[] = [];
  for (const home of scan.homes)
    for (const browser of browsers)
      for (const below of browser[scan.platformPaths.system] ?? []) {
        const dir = `${home.dir}/${below}`;
        if ((await scan.tree.resolve(dir)) !== undefined)
          found.push({ browser: browser.name, dir, home });
      }

  return found;
}

const profileEntries = ['Preferences', 'Secure Preferences', 'Extensions'];

async function isProfile(scan: Scan, dir: string): Promise<boolean> {
  for (const entryName of profileEntries)
    if ((await scan.tree.resolve(`${dir}/${entryName}`)) !== undefined) return true;

  return false;
}

/**
 * Profiles of the Chromium family. Older versions of Opera have a single one, the folder itself.
 */
export async function chromiumProfiles(scan: Scan, root: BrowserRoot): Promise<BrowserProfile[]> {
  const found: BrowserProfile[] = [];
  const names = (await scan.tree.list(root.dir))
    .filter((item) => item.kind === 'directory')
    .map((item) => item.name);
  for (const name of names) {
    const dir = `${root.dir}/${name}`;
    if (await isProfile(scan, dir)) found.push({ ...root, name, dir });
  }
  return (await isProfile(scan, root.dir)) ? [{ ...root, name: 'Default' }, ...found] : found;
}

const SIZE_LIMIT = 256 * 1024;

/** Profiles of Firefox, as its profiles.ini lists them. */
export async function firefoxProfiles(scan: Scan, root: BrowserRoot): Promise<BrowserProfile[]> {
  const content = await scan.tree.read(`${root.dir}/profiles.ini`, SIZE_LIMIT);
  if (!content || 'error' in content) return [];
  const sections = content.bytes.toString('utf8').split(/^[ \t]*\[/m);
  return sections.flatMap((section) => {
    const path = /^Path=(.*\S)/m.exec(section)?.[1];
    if (!section.startsWith('Profile') || path === undefined) return [];
    const isRelative = !/^IsRelative=0\s*$/m.test(section);
    const name = /^Name=(.*\S)/m.exec(section)?.[1] ?? path;
    return [{ ...root, name, dir: isRelative ? `${root.dir}/${path}` : path }];
  });
}

/** An extension installed in a profile. */
export interface InstalledExtension extends ExtensionAccess {
  id: string;
  name: string;
  /** The description from its manifest. */
  description: string;
  version: string | null;
  path: string;
  /** Whether it is enabled; undefined if unknown. */
  enabled: boolean | undefined;
  unpacked: boolean;
  profile: BrowserProfile;
  /** The file that declares name and permissions. */
  declaredIn: string;
}
