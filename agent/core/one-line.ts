/** The longest line that a heartbeat may carry. */
const longest = 500;

/**
 * Text from anywhere (a server's message, an error) as one printable line of bounded length,
 * without the given secrets.
 */
export function oneLine(text: string, secrets: readonly string[] = []): string {
  const open = secrets.reduce((line, secret) => line.replaceAll(secret, '[secret]'), text);
  // eslint-disable-next-line no-control-regex -- control characters are what this removes
  const line = open.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
