import { join } from 'node:path';

const folder = import.meta.dirname;

/** Paths of the built files, relative to the built main module. */
export const buildPaths = {
  preload: join(folder, 'preload.cjs'),
  windowFiles: join(folder, 'renderer'),
  icon: (name: string): string => join(folder, 'icons', name),
};
