import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A virtual environment with the client libraries of `requirements.txt`; made by `command.ts`. */
export const clientsEnvironment = join(root, 'node_modules/.cache/python-clients');
export const clientsPython = join(clientsEnvironment, 'bin/python');
/** Written when the environment is complete: the requirements that it has. */
export const clientsStamp = join(clientsEnvironment, 'requirements.txt');
export const requirements = join(import.meta.dirname, 'requirements.txt');

export const hasClients = (): boolean => existsSync(clientsStamp);
