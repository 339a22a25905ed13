import { readFileSync } from 'node:fs';
import { createSystemTrust } from '../system-trust.ts';

/** Makes the system of this process trust the roots in the given files. */
await createSystemTrust().set(process.argv.slice(2).map((file) => readFileSync(file, 'utf8')));
