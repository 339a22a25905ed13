/**
 * A key and certificates that cannot be used for signing. The message is one line without secrets.
 */
export class IdentityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IdentityError';
  }
}
