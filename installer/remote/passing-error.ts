import { InstallerError } from '../installer-error.ts';

/** A temporary failure, such as no connection or an overloaded server: worth a retry. */
export class PassingError extends InstallerError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PassingError';
  }
}
