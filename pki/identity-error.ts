/** A key and its certificates that nothing can be signed with. One line, nothing secret in it. */
export class IdentityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IdentityError';
  }
}
