/** Escapes of characters that are not a delimiter of paths, of queries, or of escapes. */
const escape = /%(?!2f|3f|23|25|5c)([2-7][\da-f])/gi;

/**
 * The path as most servers see it (RFC 3986, 6.2.2): without escapes, `.` and `..`, and also without
 * empty segments, because many treat `//v1/messages/` like `/v1/messages`.
 */
export function plainPath(path: string): string {
  const decoded = path.replace(escape, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (!/\/(?:\.{0,2}\/|\.{0,2}$)/.test(decoded)) return decoded;
  const segments: string[] = [];
  for (const segment of decoded.split('/'))
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  return `/${segments.join('/')}`;
}
