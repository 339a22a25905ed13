import 'reflect-metadata';
import { Name } from '@peculiar/x509';

/** A subject with only this common name. In plain text, `#` and `"` would be syntax. */
export const commonName = (text: string): Name => new Name([{ CN: [{ utf8String: text }] }]);
