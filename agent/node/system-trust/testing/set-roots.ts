import { readFileSync } from 'node:fs';
import { createSystemTrust } from '../system-trust.ts';

/** The system of this process trusts the roots in the files that are named. */
await createSystemTrust().set(process.argv.slice(2).map((file) => readFileSync(file, 'utf8')));
