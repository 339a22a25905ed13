import { type SearchedWord, type WordPositions, wordSearch } from './word-search.ts';

const parts = (...words: string[]): SearchedWord[] =>
  words.map((word) => ({ word, isWhole: false }));
const whole = (word: string): SearchedWord[] => [{ word, isWhole: true }];

/** The ids of clients that are secrets. */
const ids = ['client', 'access', 'app', 'api'].flatMap((owner) =>
  ['', '-', '_', '.'].map((separator) => `${owner}${separator}id`),
);

/** In names of short codes that grant access. */
const codes = [
  ...['recovery', 'backup', 'scratch', 'emergency', 'security', 'mfa', '2fa', 'factor', 'time'].map(
    (kind) => [kind, 'code'],
  ),
  ...['code', 'value', 'number'].map((last) => ['verification', last]),
].flatMap((words) => ['', ' ', '-', '_'].map((separator) => words.join(separator)));

/** Words at which detectors look for a value, by the detector. */
const triggers = {
  /** In names of passwords. */
  password: [
    ...parts(
      'pass',
      'pwd',
      'psk',
      'kennwort',
      'wachtwoord',
      'senha',
      'community',
      'rootpw',
      'bindpw',
      'masterauth',
    ),
    ...whole('pw'),
  ],
  /** In names of secrets. */
  secret: [
    ...parts('secret', 'token', 'key', 'cred', 'auth', 'bearer', 'pepper', 'totp', ...ids),
    ...parts('signing', 'salt', 'verifier', 'device_code', 'devicecode', 'samlresponse'),
    ...whole('pat'),
  ],
  /** Names of keys in sentences, with what follows them there if the names are frequent in code. */
  key: parts(
    'key is',
    'key for ',
    'token for ',
    'secret for ',
    'chave ',
    'chiave ',
    'llave ',
    'clave ',
    'sleutel ',
    'klucz ',
    'nyckel',
    'anahtar',
  ),
  code: parts('cvv', 'cvc', 'pin', 'otp', ...codes),
  /** In headers with credentials. */
  header: parts('authorization', 'key', 'token', 'bearer'),
  cookie: parts('cookie'),
  curl: parts('curl'),
  identified: parts('identified'),
  /** In statements that insert rows into a table. */
  insert: parts('insert into '),
  /** In the transcripts of protocols, and in settings of networks. */
  sasl: parts('auth plain ', 'authenticate plain ', 'auth xoauth2 ', 'ugfzc3dvcmq6'),
  imap: parts(' login '),
  redis: parts('> auth '),
  wifi: parts('wifi:', 'key content'),
  router: parts('radius', 'tacacs', 'isakmp key ', 'message-digest-key '),
  snmp: parts('snmp'),
  login: parts('in with '),
  /** In texts with seed phrases. */
  seed: parts(
    'seed',
    'mnemonic',
    'phrase',
    'frase',
    'wallet',
    'recover',
    'bip39',
    'bip-39',
    '-word',
  ),
};

export type TriggerWords = WordPositions<keyof typeof triggers>;

export const triggerWordsIn = wordSearch(triggers);
