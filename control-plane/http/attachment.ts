/**
 * The `Content-Disposition` of a download. A name that is not ASCII is sent twice (RFC 6266): an
 * ASCII approximation for old clients, and the full name.
 */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, percent);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${whole}`}`;
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
