import { namesAi } from '#agent/core/recognition/ai-words.ts';
import { displayName } from '#agent/core/display.ts';
import { desktopApps } from '#domain/app-catalog/desktop-apps.ts';
import type { Finding } from '../finding.ts';
import { readInfoPlist, textIn, type Manifest } from '../manifest.ts';
import type { Home, Scan } from '../platform-paths/platform-paths.ts';

const byBundleId = new Map(
  desktopApps.flatMap((entry) => (entry.darwin?.bundleIds ?? []).map((id) => [id, entry])),
);

/** Installers put bundles in folders of their own, Setapp and JetBrains Toolbox among them. */
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

/** Apps made for iPhone and iPad have their bundle behind the link `WrappedBundle`. */
async function readBundleInfo(scan: Scan, path: string): Promise<Manifest | undefined> {
  return (
    (await readInfoPlist(scan, `${path}/Contents/Info.plist`)) ??
    (await readInfoPlist(scan, `${path}/WrappedBundle/Info.plist`))
  );
}

const versionIn = (info: Manifest): string | null =>
  textIn(info, 'CFBundleShortVersionString') ?? textIn(info, 'CFBundleVersion') ?? null;

/** An app that the catalog does not know, and whose own name says that it is about AI. */
function namedAfterAi({ path, home }: Bundle, info: Manifest, file: string): Finding[] {
  const titles = [textIn(info, 'CFBundleDisplayName'), textIn(info, 'CFBundleName'), file];
  const title = titles.find((one) => one !== undefined && namesAi(one));
  if (title === undefined) return [];
  return [
    {
      kind: 'desktop_app',
      name: displayName(title),
      catalogId: null,
      version: versionIn(info),
      path,
      user: home?.user ?? null,
      signals: [
        { kind: 'location', text: `app bundle ${path}` },
        { kind: 'description', text: `its name says that it is about AI: ${displayName(title)}` },
      ],
    },
  ];
}

async function inspect(scan: Scan, { path, home }: Bundle): Promise<Finding[]> {
  const info = await readBundleInfo(scan, path);
  const id = info && textIn(info, 'CFBundleIdentifier');
  const entry = id === undefined ? undefined : byBundleId.get(id);
  const name = path.slice(path.lastIndexOf('/') + 1, -'.app'.length);
  if (info && !entry) return namedAfterAi({ path, home }, info, name);
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

/** App bundles of the catalog, or called after AI, in /Applications and in the Applications folder of every home. */
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
