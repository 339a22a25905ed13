/**
 * Installs a pinned version of Phoenix from PyPI into a virtual environment below
 * node_modules/.cache, for `otlp.ts`. Does nothing if it is installed already. Needs Python 3.10 or
 * newer with venv.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  isPhoenixInstalled,
  phoenixEnvironment,
  phoenixStamp,
  requirements,
} from './environment.ts';

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });

if (!isPhoenixInstalled()) {
  rmSync(phoenixEnvironment, { recursive: true, force: true });
  run('python3', '-m', 'venv', phoenixEnvironment);
  const pip = '-m pip install --quiet --disable-pip-version-check --requirement'.split(' ');
  run(join(phoenixEnvironment, 'bin/python'), ...pip, requirements);
  copyFileSync(requirements, phoenixStamp);
}
console.log(`Phoenix is installed in ${phoenixEnvironment}`);
