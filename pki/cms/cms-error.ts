/**
 * A signed message (CMS), or a certificate in it, that is damaged or not valid. The message is one
 * line that continues a sentence whose subject is what was read: "is damaged", "does not include
 * …".
 */
export class CmsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CmsError';
  }
}
