/** `npm run --silent errors`: prints docs/errors.md from the contract. */
import { errorsPage } from './errors-page.ts';

process.stdout.write(errorsPage());
