import { readLaunch } from '../recognition/launch.ts';

/**
 * The name of a server derived from its command: the host of a proxy's target, else its package, its
 * script or module, or the program. A server chooses its own name, so policies must not trust that
 * one.
 */
export function serverOfCommand(words: readonly string[]): string {
  const { target, package: launched, file, program } = readLaunch(words);
  // A name with a scheme would not fit into `mcp:<server>:<tool>`.
  if (target !== undefined) return target.replace(/^\w+:(\/\/)?/, '').replace(/:\d+$/, '');
  if (launched) return launched.name;
  if (file?.startsWith('-m ')) return file.slice(3);
  if (file === undefined) return program;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name === program ? name : name.replace(/(?<=.)\.\w+$/, '');
}
