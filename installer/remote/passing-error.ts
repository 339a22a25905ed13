import { InstallerError } from '../installer-error.ts';

/** A failure that may be gone at the next attempt: no connection, a server that is overloaded. */
export class PassingError extends InstallerError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PassingError';
  }
}
