import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/**
 * The virtual environment with the client libraries of `requirements.txt`, created by `command.ts`.
 */
export const clientsEnvironment = join(root, 'node_modules/.cache/python-clients');
export const clientsPython = join(clientsEnvironment, 'bin/python');
/** The requirements of the environment; the file is written when it is complete. */
export const clientsStamp = join(clientsEnvironment, 'requirements.txt');
export const requirements = join(import.meta.dirname, 'requirements.txt');

/** Whether the environment has the current requirements. */
export const hasClients = (): boolean =>
  existsSync(clientsStamp) &&
  readFileSync(clientsStamp, 'utf8') === readFileSync(requirements, 'utf8');
