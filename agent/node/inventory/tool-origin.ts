import type { Signal } from '#agent/core/recognition/signals.ts';
import type { CommandLineTool } from '#domain/app-catalog/entry.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import type { ProgramOrigin, OriginFinder, Program } from './program-origin.ts';
import { readProgramText } from './program-text.ts';
import { fromCargo, fromNpm, fromPython } from './tool-packages.ts';
import { fromBrew, fromDebian, fromSnap } from './tool-system-packages.ts';

const versionLike = (text: string | undefined) => (text && /^v?\d/.test(text) ? text : undefined);

const fromInstaller: OriginFinder = async (_scan, entry, { target, home }) =>
  (entry.installDirs ?? [])
    .map((dir) => (dir.startsWith('~') ? `${home?.dir ?? '~'}${dir.slice(1)}` : dir))
    .filter((dir) => target.startsWith(dir))
    .map((dir) => ({
      signal: { kind: 'location', text: `installed in ${dir}` },
      version: versionLike(target.slice(dir.length).split('/', 1)[0]),
    }));

const isBelow = (path: string, module: string) => path === module || path.startsWith(`${module}/`);

/** Reads the program's own build information, independent of the installer. */
const fromProgram: OriginFinder = async (scan, entry, program) => {
  const { marks = [], go = [] } = entry;
  if (marks.length + go.length === 0) return [];
  const text = await readProgramText(scan, program, { texts: marks, go: go.length > 0 });
  if (!text) return [];
  const build = text.go;
  if (build && go.some((module) => isBelow(build.path, module))) {
    const signal: Signal = { kind: 'mark', text: `built from ${build.path}` };
    return [{ signal, version: build.version }];
  }
  const isMarked = marks.length > 0 && marks.every((mark) => text.found.has(mark));
  const signal: Signal = { kind: 'mark', text: `the program names ${marks.join(' and ')}` };
  return isMarked ? [{ signal, version: undefined }] : [];
};

const finders = [fromNpm, fromPython, fromBrew, fromCargo, fromInstaller, fromDebian, fromSnap];

/**
 * All evidence for a program's origin: its package, its folder and, only without those, its
 * content. Nothing is run.
 */
export async function originsOf(
  scan: Scan,
  entry: CommandLineTool,
  program: Program,
): Promise<ProgramOrigin[]> {
  const found = await Promise.all(finders.map((find) => find(scan, entry, program)));
  const origins = found.flat();
  return origins.length > 0 ? origins : fromProgram(scan, entry, program);
}
