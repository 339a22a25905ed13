import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { deriveSecrets, loadSecretKey } from '../secrets.ts';
import { explain } from '../startup-errors.ts';
import { lockFolder } from '../storage/folder-lock.ts';
import { openStorage } from '../storage/open.ts';
import { recoverUser } from './recovery/recover-user.ts';

const usage = `usage: npm run --silent users -- reset-password EMAIL

Gives a user, also the only owner, a new password that must be changed at the next sign-in. With
SQLite the control plane has to be stopped; with PostgreSQL it may run.`;

/** The email, or that help is wanted. */
function readArguments(args: string[]): { email: string } | 'help' {
  const options = { help: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  const [verb, email, ...more] = positionals;
  if (verb !== 'reset-password' || !email || more.length > 0) throw new Error(usage);
  return { email };
}

async function run(email: string, config: Config): Promise<void> {
  await using opened = new AsyncDisposableStack();
  if (!config.databaseUrl) opened.defer(takeFolder(config));
  const secrets = deriveSecrets(existingKey(config));
  const storage = await openStorage({ ...config, onProblem: (line) => console.error(line) });
  opened.defer(() => storage.close());
  const { password, disabled } = await recoverUser({ storage, secrets, now: Date.now }, email);
  console.log(`${email}   ${password}\nIt is shown only this once and must be changed.`);
  if (disabled) console.log('The account is disabled: somebody else has to enable it.');
}

/** SQLite belongs to one process. */
function takeFolder({ dataDir }: Config): () => void {
  if (!existsSync(join(dataDir, 'gatehouse.db')))
    throw new Error(`DATA_DIR=${dataDir}: there is no database in this folder`);
  try {
    return lockFolder(dataDir);
  } catch (error) {
    throw new Error(`DATA_DIR=${dataDir}: ${(error as Error).message}; stop it first`, {
      cause: error,
    });
  }
}

/** The key of the control plane. A new one, made here, could not write into its audit log. */
function existingKey({ secretKey, dataDir }: Config): string {
  if (!secretKey && !existsSync(join(dataDir, 'secret.key')))
    throw new Error(`SECRET_KEY: not set, and there is no secret.key in DATA_DIR=${dataDir}`);
  return loadSecretKey(secretKey, dataDir);
}

function fail(line: string): void {
  console.error(line);
  process.exitCode = 1;
}

try {
  const task = readArguments(process.argv.slice(2));
  const config = readConfig();
  if (task === 'help') console.log(usage);
  else if ('error' in config) fail(`users: ${config.error}`);
  else
    await run(task.email, config).catch((error: unknown) =>
      fail(`users: ${explain(error, config)}`),
    );
} catch (error) {
  fail((error as Error).message);
}
