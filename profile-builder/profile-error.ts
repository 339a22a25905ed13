/** A profile that cannot be built or read. The message is one line, without the API key. */
export class ProfileError extends Error {
  constructor(message: string) {
    super(`profile: ${message}`);
    this.name = 'ProfileError';
  }
}
