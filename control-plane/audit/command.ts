import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { deriveSecrets, loadSecretKey } from '../secrets.ts';
import { explain, SettingError } from '../startup-errors.ts';
import { type Anchor, readAnchor, verifyLogs } from './verify/verify-logs.ts';

const usage = `usage: npm run --silent audit -- verify [--tenant ID] [--anchor ID:NUMBER:HASH]...

Follows the audit log of each tenant and names the first entry that is not as it was written.
Each line ends with an anchor: kept elsewhere, it proves later that the log still holds what it
held today.`;

const options = {
  tenant: { type: 'string' },
  anchor: { type: 'string', multiple: true, default: [] as string[] },
  help: { type: 'boolean', default: false },
} as const;

interface Task {
  tenant: string | undefined;
  anchors: Anchor[];
}

function readArguments(args: string[]): Task | 'help' {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  if (positionals.length !== 1 || positionals[0] !== 'verify') throw new Error(usage);
  return { tenant: values.tenant, anchors: values.anchor.map(readAnchor) };
}

async function run(task: Task, config: Config): Promise<void> {
  const secrets = deriveSecrets(existingKey(config));
  const onProblem = (line: string): void => console.error(line);
  const lines = verifyLogs({ ...config, onProblem }, secrets, task);
  for await (const { line, isBroken } of lines) {
    console.log(line);
    if (isBroken) process.exitCode = 1;
  }
}

/** Nothing is made here: neither a database nor a key. */
function existingKey({ dataDir, databaseUrl, secretKey }: Config): string {
  if (!databaseUrl && !existsSync(join(dataDir, 'gatehouse.db')))
    throw new SettingError(['DATA_DIR'], 'there is no database in this folder');
  if (!secretKey && !existsSync(join(dataDir, 'secret.key')))
    throw new SettingError(['SECRET_KEY'], 'not set, and there is no secret.key in DATA_DIR');
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
  else if ('error' in config) fail(`audit: ${config.error}`);
  else await run(task, config).catch((error: unknown) => fail(`audit: ${explain(error, config)}`));
} catch (error) {
  fail((error as Error).message);
}
