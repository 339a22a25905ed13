const allowed = new Set(['http:', 'https:', 'mailto:']);

/** An absolute address that may be opened from recorded text; undefined for any other. */
export function safeUrl(text: string): string | undefined {
  // Without a scheme it would lead into the console.
  if (!/^[a-z]+:/i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return allowed.has(url.protocol) ? url.href : undefined;
}
