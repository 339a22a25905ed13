/**
 * A package that cannot be built, signed or trusted. The message is one line, safe for a terminal.
 */
export class InstallerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InstallerError';
  }
}
