import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A virtual environment with the packages of `requirements.txt`, created by `install.ts`. */
export const phoenixEnvironment = join(root, 'node_modules/.cache/phoenix');
/** The requirements of the environment, written when it is complete. */
export const phoenixStamp = join(phoenixEnvironment, 'requirements.txt');
export const requirements = join(import.meta.dirname, 'requirements.txt');

export const isPhoenixInstalled = (): boolean =>
  existsSync(phoenixStamp) &&
  readFileSync(phoenixStamp, 'utf8') === readFileSync(requirements, 'utf8');

/** The pinned version in the requirements. */
export const phoenixVersion = (): string =>
  /^arize-phoenix==(.+)$/m.exec(readFileSync(requirements, 'utf8'))?.[1] ?? 'unknown';
