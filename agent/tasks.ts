import type { AgentConfig } from './config.ts';
import { createLog } from './node/log.ts';

/** Does what was asked, prints, and answers the exit code. */
export type Task = (config: AgentConfig) => Promise<number>;

const names = ['doctor', 'uninstall', 'remove-trust'];

/**
 * What the agent can be asked to do instead of running: `doctor [--json]`, `uninstall [--purge]`,
 * `remove-trust`. Null: it is to run. What stands before the name is the launcher's.
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
    case 'remove-trust':
      return async (config) => {
        const { uninstall, removeTrust } = await import('./node/uninstall.ts');
        const log = createLog({ level: 'info' });
        return name === 'uninstall' ? uninstall(config, more, log) : removeTrust(log);
      };
    default:
      return null;
  }
}

/** Waits until all is written: who exits earlier cuts off what goes through a pipe. */
const print = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()));
