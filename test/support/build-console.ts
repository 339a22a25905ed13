import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/**
 * Builds the console for production: the tests' NODE_ENV would select React's development build. The
 * output folder is not emptied, because programs of this checkout may be serving it.
 */
export async function buildConsole(): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const folder = join(root, 'control-plane/console');
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = ['--emptyOutDir', 'false', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, 'build', folder, ...options], { env });
}

/**
 * Once for a whole run, before its tests: a response with a file that a build truncates meanwhile is
 * shorter than its Content-Length, and a browser waits for the rest.
 */
export default buildConsole;
