import { join } from 'node:path';

const folder = import.meta.dirname;

/** Where the build puts things, seen from the built main module. */
export const buildPaths = {
  preload: join(folder, 'preload.cjs'),
  windowFiles: join(folder, 'renderer'),
  icon: (name: string): string => join(folder, 'icons', name),
};
