import { isName } from './names.ts';
import { looksRandom } from '../keys/random-text.ts';
import { isSecretValue } from './secret-value.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const isUuid = (value: string): boolean => uuid.test(value);

/** Hexadecimal numbers of 16 digits and more, except for the 24 of an `ObjectId` of MongoDB. */
const hexadecimal = /^(?:0x)?(?![\da-f]{24}$)(?=.{0,20}\d)(?=.{0,20}[a-f])[\da-f]{16,200}$/i;
/** An address of Ethereum, or the id of an account of Twilio. */
const identifier = /^(?:0x[\da-f]{40}|AC[\da-f]{32}|[\da-f]{24})$/i;
const file = /\.[a-z]{1,5}\d?$/;

/**
 * Whether a value can be nothing but a key: it has digits, and its characters change as in random text.
 * For places where most other values are words, names, ids and paths.
 */
export const isGeneratedKey = (value: string): boolean =>
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !uuid.test(value) &&
  !identifier.test(value) &&
  !file.test(value) &&
  !isName(value) &&
  (hexadecimal.test(value) || looksRandom(value)) &&
  isSecretValue('secret', value, { isQuoted: true, isUnspaced: true });
