const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text for element content and for attributes in either type of quotes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] as string);
