import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/**
 * Builds the console for production, because the NODE_ENV of tests would select React's development
 * build. The output folder is not emptied: programs of this checkout may be serving its files.
 */
export async function buildConsole(): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const folder = join(root, 'control-plane/console');
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = ['--emptyOutDir', 'false', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, 'build', folder, ...options], { env });
}

/**
 * Runs once before all tests. If a file were truncated by a build while it is served, the response
 * would be shorter than its Content-Length, and a browser would wait for the rest.
 */
export default buildConsole;
