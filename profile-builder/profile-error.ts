/** A profile that cannot be built or read. One line; it never holds the API key. */
export class ProfileError extends Error {
  constructor(message: string) {
    super(`profile: ${message}`);
    this.name = 'ProfileError';
  }
}
