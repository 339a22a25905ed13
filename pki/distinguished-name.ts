import 'reflect-metadata';
import { Name } from '@peculiar/x509';

/** A subject with this common name alone. Given as plain text, `#` and `"` would be syntax. */
export const commonName = (text: string): Name => new Name([{ CN: [{ utf8String: text }] }]);
