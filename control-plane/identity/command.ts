import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { requireSecretKey, lockDataFolder } from '../startup/data-folder.ts';
import { runCommand } from '../startup/run-command.ts';
import { deriveSecrets } from '../lib/derived-keys.ts';
import { openStorage } from '../storage/open.ts';
import { recoverUser } from './recover-user.ts';

const USAGE = `usage: npm run --silent users -- reset-password EMAIL

Sets a new password for a user, including the only owner. It must be changed at the next sign-in.
With SQLite, stop the control plane first; with PostgreSQL it may keep running.`;

/** Returns the email, or `help` if help was requested. */
function readArguments(args: string[]): { email: string } | 'help' {
  const options = { help: { type: 'boolean', short: 'h', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  const [verb, email, ...more] = positionals;
  if (verb !== 'reset-password' || !email || more.length > 0) throw new Error(USAGE);
  return { email };
}

async function run({ email }: { email: string }, config: Config): Promise<void> {
  await using opened = new AsyncDisposableStack();
  if (!config.databaseUrl) opened.defer(lockDataFolder(config, 'stop it first'));
  const secrets = deriveSecrets(requireSecretKey(config));
  const storage = await openStorage({ ...config, onProblem: (message) => console.error(message) });
  opened.defer(() => storage.close());
  const { password, disabled } = await recoverUser({ storage, secrets, now: Date.now }, email);
  console.log(
    `${email}   ${password}\nThis password is shown only once and must be changed at the next sign-in.`,
  );
  if (disabled) console.log('The account is disabled: another administrator has to enable it.');
}

await runCommand({ name: 'users', usage: USAGE, readArguments, run });
