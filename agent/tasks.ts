import type { AgentConfig } from './config.ts';
import { createLog } from './node/log.ts';

/** Runs a subcommand, prints its output, and returns the exit code. */
export type Task = (config: AgentConfig) => Promise<number>;

export interface Subcommand {
  name: string;
  /** As the usage shows them: `[--json]`. */
  parameters: string;
  summary: string;
  /** The task for these arguments, or null if they are invalid. */
  task: (args: readonly string[]) => Task | null;
}

/** A parsed command line. */
export type Request =
  | { is: 'agent' }
  | { is: 'task'; task: Task }
  /** Help is exit code 0 on standard output, a mistake 2 on standard error. */
  | { is: 'text'; code: 0 | 2; text: string };

const doctor: Subcommand = {
  name: 'doctor',
  parameters: '[--json]',
  summary: 'explains what does not work and who can fix it',
  task: (args) =>
    args.some((arg) => arg !== '--json')
      ? null
      : async (config) => {
          const { runDoctor } = await import('./node/doctor/run-doctor.ts');
          const { code, output } = await runDoctor(config, { json: args.includes('--json') });
          await print(process.stdout, output);
          return code;
        },
};

const uninstall: Subcommand = {
  name: 'uninstall',
  parameters: '[--purge]',
  summary: 'removes trusted roots and redirections; with --purge, the state too',
  task: (args) =>
    args.some((arg) => arg !== '--purge')
      ? null
      : async (config) => {
          const { uninstall: run } = await import('./node/uninstall.ts');
          const purge = args.includes('--purge');
          return run(config, { purge }, createLog({ level: 'info' }));
        },
};

/** The subcommands of every build of the agent. */
export const commonSubcommands: readonly Subcommand[] = [doctor, uninstall];

/** Reads the arguments behind the program: without any the agent runs. */
export function readCommandLine(
  args: readonly string[],
  subcommands: readonly Subcommand[] = commonSubcommands,
): Request {
  const [name, ...more] = args;
  if (name === undefined) return { is: 'agent' };
  if (isHelp(name)) return { is: 'text', code: 0, text: usageOf(subcommands) };
  const found = subcommands.find((one) => one.name === name);
  if (!found) return mistake(`unknown command: ${name}`, usageOf(subcommands));
  const usage = `usage: ${found.name} ${found.parameters}\n\n${found.name} ${found.summary}\n`;
  if (more.some(isHelp)) return { is: 'text', code: 0, text: usage };
  const task = found.task(more);
  return task
    ? { is: 'task', task }
    : mistake(`${name}: ${more.join(' ')} is not understood`, usage);
}

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h';

const mistake = (line: string, usage: string): Request => ({
  is: 'text',
  code: 2,
  text: `${line}\n${usage}`,
});

function usageOf(subcommands: readonly Subcommand[]): string {
  const calls = subcommands.map(({ name, parameters }) => `${name} ${parameters}`);
  const width = Math.max(...calls.map(({ length }) => length));
  const lines = subcommands.map(({ summary }, i) => `  ${calls[i]?.padEnd(width)}  ${summary}`);
  return `usage: [COMMAND]\n\nWithout a command, runs the agent. Commands:\n${lines.join('\n')}\n`;
}

/** Prints help or a usage error, and returns the exit code. */
export async function printText({ code, text }: { code: 0 | 2; text: string }): Promise<number> {
  await print(code === 0 ? process.stdout : process.stderr, text);
  return code;
}

/**
 * Waits for the write: exiting earlier would truncate piped output. A closed pipe, as after `head`, is
 * no failure.
 */
const print = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.on('error', () => resolve());
    stream.write(text, () => resolve());
  });
