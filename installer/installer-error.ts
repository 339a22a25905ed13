/** A package that cannot be built, signed or trusted as asked. One line, fit for a terminal. */
export class InstallerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InstallerError';
  }
}
