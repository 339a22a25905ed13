/** The full message of an error as one line, with terminal control characters escaped. */
export function errorLine({ message, code = '' }: NodeJS.ErrnoException): string {
  // Node's messages about options span several lines.
  const ofOptions = code.startsWith('ERR_PARSE_ARGS_');
  return printable(ofOptions ? message.replaceAll('\n', ' ') : message);
}

/**
 * The reason of an error without the system call and the paths that Node adds, for example `ENOENT:
 * no such file or directory`.
 */
export function systemReason({ message, syscall }: NodeJS.ErrnoException): string {
  return syscall === undefined ? message : (message.split(`, ${syscall}`)[0] as string);
}

/**
 * Escapes text for output, because names come from untrusted packages and folders, and terminals
 * execute control characters. Control characters, line breaks and bidirectional marks become
 * escapes.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

/**
 * Tolerates a reader such as `head` that closes the pipe early: further output is dropped without
 * an error.
 */
export function allowClosedReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
