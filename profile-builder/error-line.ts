import { printable } from './printable.ts';

/** What an error says, whole, as one line that a terminal shows and does not obey. */
export function errorLine({ message, code = '' }: NodeJS.ErrnoException): string {
  // What Node says of options goes on over several lines.
  const ofOptions = code.startsWith('ERR_PARSE_ARGS_');
  return printable(ofOptions ? message.replaceAll('\n', ' ') : message);
}

/** `ENOENT: no such file or directory`: why, without the call and the paths that Node adds. */
export function systemReason({ message, syscall }: NodeJS.ErrnoException): string {
  return syscall === undefined ? message : (message.split(`, ${syscall}`)[0] as string);
}
