/** The longest line that a heartbeat may carry. */
const MAX_LENGTH = 500;

/**
 * Untrusted text (a server's message, an error) made safe for a terminal and a log: one line of
 * bounded length, without control and format characters, without the given secrets.
 */
export function oneLine(text: string, secrets: readonly string[] = []): string {
  const open = secrets.reduce((line, secret) => line.replaceAll(secret, '[secret]'), text);
  const line = open.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}
