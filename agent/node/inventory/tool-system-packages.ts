import { isObject } from '#agent/core/recognition/mcp-server.ts';
import type { Signal } from '#agent/core/recognition/signals.ts';
import { CONFIG_LIMIT, parseConfig } from './config-file.ts';
import { isOfPackage, readDebianPackages } from './debian-packages.ts';
import { textIn } from './manifest.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import type { OriginFinder, Program } from './program-origin.ts';

/** The path segment after a folder. */
const pathBelow = (path: string, dir: string) =>
  path.startsWith(dir) ? path.slice(dir.length).split('/', 1)[0] : undefined;

/** Prefixes of Homebrew: on both kinds of Mac, on Linux, in a home. */
const brewPrefixes = ({ home }: Program): string[] => [
  '/opt/homebrew',
  '/usr/local',
  '/home/linuxbrew/.linuxbrew',
  ...(home ? [`${home.dir}/.linuxbrew`, `${home.dir}/homebrew`] : []),
];

export const fromBrew: OriginFinder = async (_scan, entry, program) =>
  brewPrefixes(program)
    .flatMap((prefix) => [
      ...(entry.brew ?? []).map((name) => `${prefix}/Cellar/${name}/`),
      ...[...(entry.brew ?? []), ...(entry.casks ?? [])].map(
        (name) => `${prefix}/Caskroom/${name}/`,
      ),
    ])
    .filter((dir) => program.target.startsWith(dir))
    .map((dir) => ({
      signal: { kind: 'registration', text: `Homebrew keeps it in ${dir}` },
      version: pathBelow(program.target, dir),
    }));

export const fromDebian: OriginFinder = async (scan, entry, { path, target, home }) => {
  if (home || !entry.debs) return [];
  const installed = await readDebianPackages(scan.tree);
  for (const name of entry.debs.filter((deb) => installed.has(deb))) {
    const owned = [path, target].map((file) => isOfPackage(scan.tree, name, file));
    if (!(await Promise.all(owned)).includes(true)) continue;
    const signal: Signal = { kind: 'registration', text: `Debian package ${name}` };
    return [{ signal, version: installed.get(name) }];
  }
  return [];
};

const snapFolders = ['/snap', '/var/lib/snapd/snap'];

/** The metadata of a snap; every installed one is mounted below its name. */
export async function readSnap(scan: Scan, name: string) {
  for (const folder of snapFolders) {
    const path = `${folder}/${name}/current/meta/snap.yaml`;
    const content = await scan.tree.read(path, CONFIG_LIMIT);
    const parsed =
      content && 'bytes' in content ? await parseConfig(content.bytes, 'yaml') : undefined;
    const document = parsed && 'document' in parsed ? parsed.document : undefined;
    if (!isObject(document) || textIn(document, 'name') !== name) continue;
    return { path, version: textIn(document, 'version') };
  }
  return undefined;
}

/** Programs of a snap are links to `snap`, named after the snap or `<snap>.<program>`. */
export const fromSnap: OriginFinder = async (scan, entry, { path }) => {
  const [, name = ''] = /^(?:\/var\/lib\/snapd)?\/snap\/bin\/([^./]+)/.exec(path) ?? [];
  if (!entry.snaps?.includes(name)) return [];
  const snap = await readSnap(scan, name);
  const signal: Signal = { kind: 'registration', text: `snap ${name}` };
  return snap ? [{ signal, version: snap.version }] : [];
};
