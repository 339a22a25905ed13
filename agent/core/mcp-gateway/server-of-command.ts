import { readLaunch } from '../recognition/launch.ts';

const interpreter = /^(node|deno|bun|python[\d.]*|ruby|sh|bash)$/;

/**
 * The name of a server derived from its command: its package, else its script, else the program. A
 * server chooses its own name, so policies must not trust that one.
 */
export function serverOfCommand([program = '', ...args]: readonly string[]): string {
  const launch = readLaunch(program, args);
  if (launch.package) return launch.package.name;
  const script = args.find((arg) => !arg.startsWith('-'));
  return interpreter.test(baseOf(program)) && script !== undefined
    ? baseOf(script).replace(/\.\w+$/, '')
    : baseOf(program);
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
