import { runsWithin } from '../search/character-runs.ts';
import { membersOf } from '../search/code-units.ts';
import type { Finding } from '../detector.ts';
import { isGeneratedKey } from './generated-key.ts';
import { isServiceName, wordsOfName } from './secret-names.ts';
import { KEY_CHARACTERS } from '../text-index.ts';

/**
 * Keys as an argument of a call that names no key, only a client or a service, `new Client("…")`, or that signs
 * with it. Most arguments in quotes are something else, so the value must look generated.
 */
interface KeyCall {
  /** The source of a pattern up to the opening parenthesis, whose group is the name. */
  call: string;
  isClient: (name: string) => boolean;
  source: string;
  /** The key is in brackets. */
  example: string;
  counterExample: string;
}

const EXAMPLE = 'zBmJ1kiUqI5RP0xWv7TgLd3N';

const constructing = /^(?:new|create|make|init|get|build)$/;
/** `OpenAIClient` has the words `open` and `aiclient`. */
const client = /(?:client|sdk|api)$/;

export const keyCalls: readonly KeyCall[] = [
  {
    call: String.raw`(?<![\w$])([A-Za-z][\w$]{2,40})`,
    isClient(name) {
      const words = wordsOfName(name).filter((word) => !constructing.test(word));
      return client.test(words.at(-1) ?? '') || isServiceName(words.join(''));
    },
    source:
      'supabase.com/docs/reference/javascript/initializing, pygithub.readthedocs.io, npmjs.com/package/algoliasearch',
    example: `const db = createClient(url, "[${EXAMPLE}]");`,
    counterExample: `const hash = createHash("${EXAMPLE}");`,
  },
  {
    call: String.raw`require\(["']([@\w./-]{2,60})["']\)`,
    isClient: (name) => wordsOfName(name).some((word) => client.test(word) || isServiceName(word)),
    source: 'npmjs.com/package/stripe, npmjs.com/package/mailgun-js',
    example: `const mail = require('mailgun-js')('[${EXAMPLE}]');`,
    counterExample: `const table = require('./table')('${EXAMPLE}');`,
  },
  {
    call: String.raw`(?<![\w$])((?:jwt|jsonwebtoken)\.(?:sign|verify|encode|decode)|(?:crypto\.)?createHmac|hmac\.(?:new|digest)|cookieParser|cookieSession)`,
    isClient: () => true,
    source:
      'npmjs.com/package/jsonwebtoken, pyjwt.readthedocs.io, nodejs.org/api/crypto.html, docs.python.org/3/library/hmac.html',
    example: `const token = jwt.sign({ sub: id }, '[${EXAMPLE}]', { expiresIn: '1h' });`,
    counterExample: `const token = sign({ sub: id }, '${EXAMPLE}');`,
  },
];

const quote = String.raw`\\{0,3}["'\x60]`;
/** An argument before the key: a name, an object, or the id or address of an account. */
const first = String.raw`(?:(?:[\w.$]{1,60}|\{[^{}]{0,200}\}|${quote}[^"'\x60\n\\]{1,200}${quote})\s{0,3},\s{0,12})?`;
const calls = keyCalls.map(({ call, isClient }) => ({
  before: new RegExp(String.raw`(?<=${call}\(\s{0,12}${first}b?${quote})`, 'y'),
  isClient,
}));

const MIN_LENGTH = 20;
const MAX_LENGTH = 400;
const isKeyCharacter = membersOf(KEY_CHARACTERS);
const isQuote = membersOf(/["'`]/);
/** In JSON, a quote is escaped. */
const isClosing = membersOf(/["'`\\]/);

/** The keys among these runs of key characters. Only runs in quotes are looked at. */
export const findKeysInCalls = (text: string, keyRuns: readonly Finding[]): Finding[] =>
  keyRuns.flatMap((run) =>
    run.end - run.start < MIN_LENGTH
      ? []
      : runsWithin(text, run, isKeyCharacter, MIN_LENGTH).filter(
          ({ start, end }) =>
            isQuote[text.charCodeAt(start - 1)] === 1 &&
            isClosing[text.charCodeAt(end)] === 1 &&
            end - start <= MAX_LENGTH &&
            isArgumentOfClient(text, start) &&
            isGeneratedKey(text.slice(start, end)),
        ),
  );

const isArgumentOfClient = (text: string, at: number): boolean =>
  calls.some(({ before, isClient }) => {
    before.lastIndex = at;
    const name = before.exec(text)?.[1];
    return name !== undefined && isClient(name);
  });
