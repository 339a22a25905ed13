import { readLaunch } from '../recognition/launch.ts';

const interpreter = /^(node|deno|bun|python[\d.]*|ruby|sh|bash)$/;

/**
 * The name of a server by its command: the package that it launches, the script that it runs, else
 * the program. The name that a server gives itself is its own choice, so policies must not trust it.
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
