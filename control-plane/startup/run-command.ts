import { allowClosedReader } from '#profile-builder/terminal-output.ts';
import { type Config, readConfig } from '../config.ts';
import { formatStartupError } from '../lib/setting-error.ts';

export interface Command<T> {
  /** The prefix of error messages. */
  name: string;
  usage: string;
  /**
   * @throws Error with the usage, or with one line for an invalid option
   */
  readArguments: (args: string[]) => T | 'help';
  run: (task: T, config: Config) => Promise<void>;
}

/** Runs a command on the control plane's own data: exit code 0, or 1 with a one-line error. */
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

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
