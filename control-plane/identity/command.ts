import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { requireSecretKey, lockDataFolder } from '../startup/data-folder.ts';
import { runCommand } from '../startup/run-command.ts';
import { deriveSecrets } from '../startup/secrets.ts';
import { openStorage } from '../storage/open.ts';
import { recoverUser } from './recover-user.ts';

const usage = `usage: npm run --silent users -- reset-password EMAIL

Gives a user, also the only owner, a new password that must be changed at the next sign-in. With
SQLite the control plane has to be stopped; with PostgreSQL it may run.`;

/** The email, or that help is wanted. */
function readArguments(args: string[]): { email: string } | 'help' {
  const options = { help: { type: 'boolean', short: 'h', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  const [verb, email, ...more] = positionals;
  if (verb !== 'reset-password' || !email || more.length > 0) throw new Error(usage);
  return { email };
}

async function run({ email }: { email: string }, config: Config): Promise<void> {
  await using opened = new AsyncDisposableStack();
  if (!config.databaseUrl) opened.defer(lockDataFolder(config, 'stop it first'));
  const secrets = deriveSecrets(requireSecretKey(config));
  const storage = await openStorage({ ...config, onProblem: (line) => console.error(line) });
  opened.defer(() => storage.close());
  const { password, disabled } = await recoverUser({ storage, secrets, now: Date.now }, email);
  console.log(`${email}   ${password}\nIt is shown only this once and must be changed.`);
  if (disabled) console.log('The account is disabled: somebody else has to enable it.');
}

await runCommand({ name: 'users', usage, readArguments, run });
