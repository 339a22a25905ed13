import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { sectionsOf } from './program-sections.ts';
import { readAt } from './read-at.ts';

/** The module that a Go program was built from. */
export interface GoModules {
  /** The import path of its main package. */
  path: string;
  version: string | undefined;
  dependencies: readonly string[];
}

/** The limit of the build information, which has one line per module of the program. */
const MAX_INFO = 512 * 1024;

/** The section with the build information, as called in ELF and in Mach-O. */
const names = new Set(['.go.buildinfo', '__go_buildinfo']);

/**
 * Parses lines of `path`, `mod` and `dep` with fields separated by tabs
 * (https://pkg.go.dev/debug/buildinfo).
 */
function readModules(text: string): GoModules | undefined {
  const path = /(?:^|\n|\W)path\t([\w./~-]+)\n/.exec(text)?.[1];
  const version = /\nmod\t[^\t\n]+\tv?(\d[\w.+-]*)/.exec(text)?.[1];
  const modules = [...text.matchAll(/\ndep\t([^\t\n]+)\t/g)].map(([, name = '']) => name);
  return path === undefined ? undefined : { path, version, dependencies: modules };
}

/**
 * The modules of a Go program; undefined for other files. Reads only a few kilobytes, whose
 * location is in the file's section table.
 */
export async function readGoModules(path: string): Promise<GoModules | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const section = (await sectionsOf(file)).find(({ name }) => names.has(name));
    if (!section) return undefined;
    const info = await readAt(file, section.offset, Math.min(section.size, MAX_INFO));
    return readModules(info.toString('latin1'));
  } catch {
    return undefined;
  }
}
