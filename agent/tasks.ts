import type { AgentConfig } from './config.ts';
import { hookClients, isHookClient } from './core/tool-checks/tool-event.ts';
import { createLog } from './node/log.ts';
import type { GatewayOptions } from './node/mcp-gateway/run-gateway.ts';

/** Runs a subcommand, prints its output, and returns the exit code. */
export type Task = (config: AgentConfig) => Promise<number>;

export interface Subcommand {
  name: string;
  /** The parameters in the format of the usage: `[--json]`. */
  parameters: string;
  summary: string;
  /** The task for these arguments, null if one is unexpected, or a text that says what is missing. */
  task: (args: readonly string[]) => Task | string | null;
}

/** A parsed command line. */
export type Request =
  | { is: 'agent' }
  | { is: 'task'; task: Task }
  /**
   * Help has exit code 0 and goes to standard output, a mistake has 2 and goes to standard error.
   */
  | { is: 'text'; code: 0 | 2; text: string };

const doctor: Subcommand = {
  name: 'doctor',
  parameters: '[--json]',
  summary: 'explains what does not work and who can fix it',
  task: (args) =>
    args.some((arg) => arg !== '--json')
      ? null
      : async (config) => {
          const { runDoctor } = await import('./node/doctor/examine.ts');
          const { code, output } = await runDoctor(config, { json: args.includes('--json') });
          await print(process.stdout, output);
          return code;
        },
};

const uninstall: Subcommand = {
  name: 'uninstall',
  parameters: '[--purge]',
  summary:
    'removes trusted roots, redirections and settings of coding agents; with --purge, the state too',
  task: (args) =>
    args.some((arg) => arg !== '--purge')
      ? null
      : async (config) => {
          const { uninstall: run } = await import('./node/uninstall.ts');
          const purge = args.includes('--purge');
          return run(config, { purge }, createLog({ level: 'info' }));
        },
};

const hook: Subcommand = {
  name: 'hook',
  parameters: `${hookClients.join('|')} [--closed]`,
  summary: 'asks the agent about a tool call, for a hook of a coding agent: its event on stdin',
  task: ([client, ...more]) => {
    if (client === undefined) return 'the name of a client is missing';
    if (!isHookClient(client) || more.some((arg) => arg !== '--closed')) return null;
    return async (config) => {
      const { runHook } = await import('./node/tool-checks/run-hook.ts');
      return runHook(config, client, { failClosed: more.includes('--closed') });
    };
  },
};

const mcp: Subcommand = {
  name: 'mcp',
  parameters: '[--name NAME] [--closed] -- COMMAND [ARGUMENT…]',
  summary: 'runs an MCP server, and checks and records the calls of its tools',
  task: (args) => {
    const options = readGatewayOptions(args);
    if (options === null || typeof options === 'string') return options;
    return async (config) => {
      const { runGateway } = await import('./node/mcp-gateway/run-gateway.ts');
      return runGateway(config, options);
    };
  },
};

function readGatewayOptions(args: readonly string[]): GatewayOptions | string | null {
  const end = args.indexOf('--');
  const command = args.slice(end + 1);
  if (end < 0 || command.length === 0) return 'a command is missing after `--`';
  const options = args.slice(0, end);
  const at = options.indexOf('--name');
  const name = at < 0 ? null : (options[at + 1] ?? null);
  if (at >= 0) options.splice(at, 2);
  if ((at >= 0 && !name) || options.some((arg) => arg !== '--closed')) return null;
  return { command, name, failClosed: options.includes('--closed') };
}

/** The subcommands of every build of the agent. */
export const commonSubcommands: readonly Subcommand[] = [doctor, uninstall, hook, mcp];

/** Reads the arguments after the program's name; without arguments the agent runs. */
export function readCommandLine(
  args: readonly string[],
  subcommands: readonly Subcommand[] = commonSubcommands,
): Request {
  const [name, ...more] = args;
  if (name === undefined) return { is: 'agent' };
  if (isHelp(name)) return { is: 'text', code: 0, text: usageOf(subcommands) };
  const found = subcommands.find((one) => one.name === name);
  if (!found) return usageError(`unknown command: ${name}`, usageOf(subcommands));
  const usage = `usage: ${found.name} ${found.parameters}\n\n${found.name} ${found.summary}\n`;
  if (ownArguments(more).some(isHelp)) return { is: 'text', code: 0, text: usage };
  const task = found.task(more);
  if (typeof task === 'function') return { is: 'task', task };
  const mistake =
    more.length === 0
      ? `missing argument, expected ${found.parameters}`
      : `unexpected argument ${more.join(' ')}`;
  return usageError(`${name}: ${task ?? mistake}`, usage);
}

/** Returns the arguments of the task itself, without the command that it runs. */
function ownArguments(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h';

const usageError = (line: string, usage: string): Request => ({
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
