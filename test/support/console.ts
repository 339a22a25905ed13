import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

const root = join(import.meta.dirname, '../..');

/**
 * As it is shipped: with the tests' NODE_ENV it would hold React's development build. What is there
 * stays, for other tests may be serving it.
 */
export async function buildConsole(): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const folder = join(root, 'control-plane/console');
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = ['--emptyOutDir', 'false', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, 'build', folder, ...options], { env });
}

/** On the sign-in page, until the console is there or says why not. */
export async function signIn(page: Page, user: { email: string; password: string }) {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
