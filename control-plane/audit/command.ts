import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { requireSecretKey, requireDatabase } from '../startup/data-folder.ts';
import { runCommand } from '../startup/run-command.ts';
import { deriveSecrets } from '../lib/derived-keys.ts';
import { type Anchor, readAnchor, verifyLogs } from './verify/verify-logs.ts';

const USAGE = `usage: npm run --silent audit -- verify [--tenant ID] [--anchor ID:NUMBER:HASH]...

Verifies the audit log of each tenant and names the first entry that was altered.
Each line ends with an anchor: stored elsewhere, it later proves that the log still holds the
entries it held when the anchor was printed.`;

const options = {
  tenant: { type: 'string' },
  anchor: { type: 'string', multiple: true, default: [] as string[] },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

interface Task {
  tenant: string | undefined;
  anchors: Anchor[];
}

function readArguments(args: string[]): Task | 'help' {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  if (positionals.length !== 1 || positionals[0] !== 'verify') throw new Error(USAGE);
  return { tenant: values.tenant, anchors: values.anchor.map(readAnchor) };
}

async function run(task: Task, config: Config): Promise<void> {
  requireDatabase(config);
  const secrets = deriveSecrets(requireSecretKey(config));
  const onProblem = (message: string): void => console.error(message);
  const lines = verifyLogs({ ...config, onProblem }, secrets, task);
  for await (const { line, isBroken } of lines) {
    console.log(line);
    if (isBroken) process.exitCode = 1;
  }
}

await runCommand({ name: 'audit', usage: USAGE, readArguments, run });
