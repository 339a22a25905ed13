import { InstallerError } from '../../installer-error.ts';

/**
 * The path of something to install, as `.` or `./a/b`. Throws InstallerError where it is absolute or
 * could lead out of the place of installation.
 */
export function checkPath(path: string): string {
  if (path === '.') return path;
  if (path.startsWith('/')) throw new InstallerError(`${path}: an absolute path`);
  const names = path.startsWith('./') ? path.slice(2).split('/') : path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    throw new InstallerError(`${path}: a path that leads elsewhere`);
  return `./${names.join('/')}`;
}
