import { collecting } from '../collecting.ts';
import { type HeapReader, readWhole } from '../archive/content.ts';
import type { ArchiveEntry, EntryData } from '../archive/entries.ts';
import type { CodeReport, ComponentReport } from '../inspection.ts';
import { xmlLimit } from '../xml.ts';
import { readBom } from './bom.ts';
import type { CpioEntry } from './cpio.ts';
import { type PackageInfo, readPackageInfo } from './package-info.ts';
import { comparePayload } from './payload.ts';
import { checkScripts, readScripts } from './scripts.ts';
import { checkStatedSizes, totalSize } from './sizes.ts';

/** Bytes. A Bom of as many paths as the formats allow stays well below. */
const bomLimit = 128 * 1024 * 1024;

/** Where a component is in the archive. */
export interface ComponentPlace {
  /** As `name.pkg/`; empty for a package that is a component itself. */
  folder: string;
  info: EntryData;
}

const infoName = 'PackageInfo';

/** Every folder with a PackageInfo is a component. */
export function findComponents(entries: readonly ArchiveEntry[]): ComponentPlace[] {
  return entries.flatMap(({ path, data }) =>
    data && (path === infoName || path.endsWith(`/${infoName}`))
      ? [{ folder: path.slice(0, -infoName.length), info: data }]
      : [],
  );
}

/** Reads a component and compares its parts with each other. */
export async function inspectComponent(
  heap: HeapReader,
  entries: readonly ArchiveEntry[],
  place: ComponentPlace,
  problems: string[],
): Promise<ComponentReport> {
  const { folder } = place;
  const part = (name: string) => entries.find(({ path }) => path === folder + name)?.data ?? null;
  const info = await collecting(problems, folder + infoName, async () =>
    readPackageInfo(await readWhole(heap, place.info, xmlLimit)),
  );
  const { entries: payload, code } = await inspectPayload(heap, folder, { part, info }, problems);
  const scripts = await inspectScripts(heap, folder, { part, info }, problems);
  return {
    path: folder.slice(0, -1) || '.',
    identifier: info?.identifier ?? null,
    version: info?.version ?? null,
    installLocation: info?.installLocation ?? null,
    files: payload.length,
    installedSize: totalSize(payload),
    scripts,
    code,
    payload: payload.map(({ path, size, mode, checksum, target }) => ({
      path,
      size,
      mode: mode.toString(8),
      checksum,
      target,
    })),
  };
}

const noCode: CodeReport = { bundles: [], programs: [], launchItems: [], fuses: [] };

interface Parts {
  part: (name: string) => EntryData | null;
  info: PackageInfo | null;
}

async function inspectPayload(
  heap: HeapReader,
  folder: string,
  { part, info }: Parts,
  problems: string[],
): Promise<{ entries: CpioEntry[]; code: CodeReport }> {
  const nothing = { entries: [], code: noCode };
  const [bomData, data] = [part('Bom'), part('Payload')];
  if (!data && (bomData || info?.payload?.files))
    problems.push(`${folder}Payload: is missing, though PackageInfo or Bom speak of it`);
  if (data && !bomData) problems.push(`${folder}Bom: is missing, so nothing vouches for Payload`);
  if (!data || !bomData) return nothing;
  const bom = await collecting(problems, `${folder}Bom`, async () =>
    readBom(await readWhole(heap, bomData, bomLimit)),
  );
  if (!bom) return nothing;
  const compared = await collecting(problems, `${folder}Payload`, () =>
    comparePayload(heap, data, bom),
  );
  if (!compared) return nothing;
  problems.push(...compared.problems.map((line) => `${folder}Payload: ${line}`));
  if (!info) return compared;
  const sizes = info.payload ? checkStatedSizes(info.payload, compared.entries) : ['no <payload>'];
  problems.push(...sizes.map((line) => `${folder}PackageInfo: ${line}`));
  return compared;
}

async function inspectScripts(
  heap: HeapReader,
  folder: string,
  { part, info }: Parts,
  problems: string[],
): Promise<string[]> {
  const data = part('Scripts');
  const stated = info?.scripts ?? [];
  if (!data) {
    if (stated.length > 0)
      problems.push(`${folder}Scripts: is missing, though PackageInfo names ${stated[0]}`);
    return [];
  }
  const found = await collecting(problems, `${folder}Scripts`, () => readScripts(heap, data));
  if (!found) return [];
  const wrong = await collecting(problems, `${folder}PackageInfo`, () =>
    checkScripts(stated, found),
  );
  problems.push(...(wrong ?? []).map((line) => `${folder}Scripts: ${line}`));
  return found.filter(({ kind }) => kind === 'file').map(({ path }) => path);
}
