import { collectErrors } from '../collect-errors.ts';
import { type HeapReader, readFully } from '../archive/content.ts';
import type { ArchiveEntry, EntryData } from '../archive/entries.ts';
import type { CodeReport, ComponentReport } from '../inspection.ts';
import { XML_LIMIT } from '../xml.ts';
import { readBom } from './bom.ts';
import type { CpioEntry } from './cpio.ts';
import { type PackageInfo, readPackageInfo } from './package-info.ts';
import { comparePayload } from './payload.ts';
import { checkScripts, readScripts } from './scripts.ts';

/** Disk block size. Some tools count allocated bytes, others content bytes. */
const BLOCK_SIZE = 4096;

/** Returns a problem for each statement in PackageInfo that does not match the payload. */
export function checkStatedSizes(
  stated: NonNullable<PackageInfo['payload']>,
  entries: readonly CpioEntry[],
): string[] {
  const problems: string[] = [];
  if (stated.files !== entries.length)
    problems.push(`numberOfFiles ${stated.files} differs from the ${entries.length} in Payload`);
  const least = Math.floor(totalSize(entries) / 1024);
  const most = entries.reduce((sum, entry) => sum + blocksOf(entry) * (BLOCK_SIZE / 1024), 0);
  if (stated.kilobytes < least || stated.kilobytes > most)
    problems.push(`installKBytes ${stated.kilobytes} is not between ${least} and ${most}`);
  return problems;
}

export const totalSize = (entries: readonly CpioEntry[]): number =>
  entries.reduce((sum, { size }) => sum + size, 0);

const blocksOf = ({ size }: CpioEntry) => Math.max(1, Math.ceil(size / BLOCK_SIZE));

/** A limit in bytes, well above the size of a Bom with the maximum number of paths. */
const BOM_LIMIT = 128 * 1024 * 1024;

/** The location of a component in the archive. */
export interface ComponentPlace {
  /** The folder in the format `name.pkg/`; empty if the package is itself a component. */
  folder: string;
  info: EntryData;
}

const INFO_NAME = 'PackageInfo';

/** Finds all components: every folder with a PackageInfo is one. */
export function findComponents(entries: readonly ArchiveEntry[]): ComponentPlace[] {
  return entries.flatMap(({ path, data }) =>
    data && (path === INFO_NAME || path.endsWith(`/${INFO_NAME}`))
      ? [{ folder: path.slice(0, -INFO_NAME.length), info: data }]
      : [],
  );
}

/** Reads a component and checks its parts against each other. */
export async function inspectComponent(
  heap: HeapReader,
  entries: readonly ArchiveEntry[],
  location: ComponentPlace,
  problems: string[],
): Promise<ComponentReport> {
  const { folder } = location;
  const part = (name: string) => entries.find(({ path }) => path === folder + name)?.data ?? null;
  const info = await collectErrors(problems, folder + INFO_NAME, async () =>
    readPackageInfo(await readFully(heap, location.info, XML_LIMIT)),
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
    problems.push(`${folder}Payload: is missing, but PackageInfo or Bom refer to it`);
  if (data && !bomData) problems.push(`${folder}Bom: is missing, so Payload cannot be verified`);
  if (!data || !bomData) return nothing;
  const bom = await collectErrors(problems, `${folder}Bom`, async () =>
    readBom(await readFully(heap, bomData, BOM_LIMIT)),
  );
  if (!bom) return nothing;
  const compared = await collectErrors(problems, `${folder}Payload`, () =>
    comparePayload(heap, data, bom),
  );
  if (!compared) return nothing;
  problems.push(...compared.problems.map((problem) => `${folder}Payload: ${problem}`));
  if (!info) return compared;
  const sizes = info.payload ? checkStatedSizes(info.payload, compared.entries) : ['no <payload>'];
  problems.push(...sizes.map((problem) => `${folder}PackageInfo: ${problem}`));
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
  const scripts = await collectErrors(problems, `${folder}Scripts`, () => readScripts(heap, data));
  if (!scripts) return [];
  const wrong = await collectErrors(problems, `${folder}PackageInfo`, () =>
    checkScripts(stated, scripts),
  );
  problems.push(...(wrong ?? []).map((problem) => `${folder}Scripts: ${problem}`));
  return scripts.filter(({ kind }) => kind === 'file').map(({ path }) => path);
}
