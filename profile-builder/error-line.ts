import { printable } from './printable.ts';

/** The full message of an error as one line, with terminal control characters escaped. */
export function errorLine({ message, code = '' }: NodeJS.ErrnoException): string {
  // Node's messages about options span several lines.
  const ofOptions = code.startsWith('ERR_PARSE_ARGS_');
  return printable(ofOptions ? message.replaceAll('\n', ' ') : message);
}

/**
 * `ENOENT: no such file or directory`: the reason without the call and the paths that Node adds.
 */
export function systemReason({ message, syscall }: NodeJS.ErrnoException): string {
  return syscall === undefined ? message : (message.split(`, ${syscall}`)[0] as string);
}
