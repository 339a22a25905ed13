import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import {
  clientsEnvironment,
  clientsPython,
  clientsStamp,
  hasClients,
  requirements,
} from './clients-environment.ts';

/**
 * `npm run python-clients`: installs the Python client libraries that tests of the SDK use, pinned,
 * into a virtual environment, unless they are already installed.
 */
if (!hasClients()) {
  rmSync(clientsEnvironment, { recursive: true, force: true });
  run('python3', '-m', 'venv', clientsEnvironment);
  run(clientsPython, '-m', 'pip', 'install', '--quiet', '--requirement', requirements);
  copyFileSync(requirements, clientsStamp);
}
console.log(`${clientsPython} has the clients of ${requirements}`);

function run(program: string, ...args: string[]): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    console.error(`python-clients: ${program} ${args.join(' ')} failed`);
    process.exit(1);
  }
}
