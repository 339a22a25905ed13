const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** For text and for attributes in either kind of quotes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] as string);
