import type { Signal } from '#agent/core/recognition/signals.ts';
import type { CommandLineTool } from '#domain/app-catalog/entry.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

/** A program in a folder of programs: its path, and the file it links to. */
export interface Program {
  path: string;
  target: string;
  home: Home | undefined;
}

export interface ProgramOrigin {
  signal: Signal;
  version: string | undefined;
}

export type OriginFinder = (
  scan: Scan,
  entry: CommandLineTool,
  program: Program,
) => Promise<ProgramOrigin[]>;
