import type { AgentConfig } from './config.ts';
import { createLog } from './node/log.ts';

/** Runs a subcommand, prints, and answers the exit code. */
export type Task = (config: AgentConfig) => Promise<number>;

const names = ['doctor', 'uninstall'];

/**
 * Finds the subcommand: `doctor [--json]` or `uninstall [--purge]`. Null: the agent runs. Arguments
 * before the subcommand belong to the launcher.
 */
export function findTask(args: readonly string[]): Task | null {
  const at = args.findIndex((arg) => names.includes(arg));
  const [name, ...more] = at < 0 ? [] : args.slice(at);
  switch (name) {
    case 'doctor':
      return async (config) => {
        const { runDoctor } = await import('./node/doctor/command-line.ts');
        const { code, output } = await runDoctor(config, more);
        await print(output);
        return code;
      };
    case 'uninstall':
      return async (config) => {
        const { uninstall } = await import('./node/uninstall.ts');
        return uninstall(config, more, createLog({ level: 'info' }));
      };
    default:
      return null;
  }
}

/** Waits for the write: exiting earlier would cut off output that goes through a pipe. */
const print = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()));
