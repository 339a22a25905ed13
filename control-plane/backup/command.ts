import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { runCommand } from '../startup/run-command.ts';
import { backUp } from './back-up.ts';

const USAGE = `usage: npm run --silent backup -- FOLDER

Copies the SQLite database in DATA_DIR, and its secret.key, into a new folder, also while the control
plane is running. To restore, copy both into an empty DATA_DIR and start. More: docs/operations.md.`;

const options = { help: { type: 'boolean', short: 'h', default: false } } as const;

interface Task {
  folder: string;
}

function readArguments(args: string[]): Task | 'help' {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new Error(USAGE);
  return { folder };
}

async function run({ folder }: Task, config: Config): Promise<void> {
  const { files, bytes } = await backUp(config, folder);
  console.log(`${folder}: ${files.join(' and ')}, ${(bytes / 1e6).toFixed(1)} MB`);
  if (config.secretKey)
    console.log('SECRET_KEY is set: back it up too, the data cannot be decrypted without it');
}

await runCommand({ name: 'backup', usage: USAGE, readArguments, run });
