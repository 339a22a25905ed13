/**
 * The `Content-Disposition` of a file to keep. A name that headers cannot carry is told twice, as
 * RFC 6266 has it: for readers of old in what ASCII has of it, and in whole.
 */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, percent);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${whole}`}`;
}

const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
