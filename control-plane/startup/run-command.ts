import { allowClosedReader } from '#profile-builder/closed-reader.ts';
import { type Config, readConfig } from '../config.ts';
import { formatStartupError } from './setting-error.ts';

export interface Command<T> {
  /** Stands before what goes wrong with the settings or the data. */
  name: string;
  usage: string;
  /** @throws Error with the usage, or with one line for an option that cannot be */
  readArguments: (args: string[]) => T | 'help';
  run: (task: T, config: Config) => Promise<void>;
}

/** A command that works on the control plane's own data: exit code 0, or 1 and one line of why. */
export async function runCommand<T>(command: Command<T>): Promise<void> {
  const { name, usage, readArguments, run } = command;
  allowClosedReader();
  try {
    const task = readArguments(process.argv.slice(2));
    const config = readConfig();
    if (task === 'help') process.stdout.write(`${usage}\n`);
    else if ('error' in config) fail(`${name}: ${config.error}`);
    else
      await run(task, config).catch((error: unknown) =>
        fail(`${name}: ${formatStartupError(error, config)}`),
      );
  } catch (error) {
    fail((error as Error).message);
  }
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
