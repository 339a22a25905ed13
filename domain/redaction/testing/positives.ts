import type { BuiltinType } from '#contract/settings.ts';
import { ALNUM, DIGIT, HEX, type KeyFormat, LOWER, URL_SAFE } from '../keys/key-format.ts';
import { keyFormats } from '../keys/key-formats.ts';
import { markedFormats } from '../keys/marked-key-formats.ts';
import { nationalIds } from '../personal-data/national-ids.ts';
import type { Random } from './random.ts';
import { walletKeyOf } from './wallet-keys.ts';

/** A text that holds a secret. */
export interface Positive {
  type: BuiltinType;
  /** The way in which it is detected: by a format or check digit, or by the name next to it. */
  recognized: 'by format' | 'by name';
  text: string;
  secret: string;
}

/** Contexts of secrets in requests to models. */
const contexts: readonly ((secret: string) => string)[] = [
  (secret) => `Why does this fail? I use ${secret} and get a 401.`,
  (secret) => JSON.stringify({ role: 'user', content: `here it is: ${secret}` }),
  (secret) => JSON.stringify({ args: JSON.stringify({ value: secret }) }),
  (secret) => `curl -s https://api.example.com/v1 -d 'k=${secret}'`,
  (secret) => `VALUE=${secret}\nOTHER=1\n`,
  (secret) => `const client = connect('${secret}');`,
  (secret) => `2026-11-02T10:30:00Z INFO worker-3 got ${secret} from upstream`,
  (secret) => `spec:\n  value: ${secret}\n  replicas: 3\n`,
  (secret) => `- use \`${secret}\` for now`,
];

/** Rows of a table, in which the neighbours of a number are numbers. */
const rows: readonly ((number: string) => string)[] = [',', ';', '\t', '|'].flatMap((separator) => [
  (number: string) => `7${separator}${number}${separator}31\n8${separator}`,
  (number: string) => `Bob${separator}${number}${separator}31`,
  (number: string) => `7${separator}${number}${separator}Berlin`,
  (number: string) => `7${separator}"${number}"${separator}31`,
  (number: string) => `id${separator}n\n7${separator}'${number}'\n`,
]);
const numbers: readonly BuiltinType[] = ['CREDIT_CARD', 'IBAN', 'US_SSN', 'PHONE'];

/** Provider keys are also detected as member names. */
const asName = (secret: string): string => JSON.stringify({ usage: { [secret]: 12, total: 12 } });

/** Ways to write a name and its value. */
const assignments: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}=${value}`,
  (name, value) => `export ${name.toUpperCase()}=${value}\nexport PORT=8080`,
  (name, value) => `${name}: ${value}`,
  (name, value) => `  ${name}: "${value}"`,
  (name, value) => JSON.stringify({ [name]: value, region: 'eu-west-1' }),
  (name, value) => JSON.stringify({ content: `set "${name}": "${value}" and retry` }),
  (name, value) => `const ${name} = '${value}';`,
  (name, value) => `${name} => "${value}",`,
  (name, value) => `<${name}>${value}</${name}>`,
  (name, value) => `os.environ['${name}'] = '${value}'`,
  (name, value) => `deploy --${name.replaceAll('_', '-')} ${value} --yes`,
  (name, value) => `https://api.example.com/v1?${name}=${value}&page=2`,
  (name, value) => JSON.stringify({ [name]: { value, source: 'vault' } }),
  (name, value) => JSON.stringify({ env: [{ name, value }] }),
  (name, value) => JSON.stringify({ args: JSON.stringify([{ value, key: name, secure: true }]) }),
  (name, value) =>
    `--b7\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b7--\r\n`,
];

/** Ways to write a password without an operator between its name, if it has one, and itself. */
const passwordNotations: readonly ((password: string) => string)[] = [
  (password) => `password: |\n  ${password}\nport: 5432\n`,
  (password) => `db_password: >-\n  ${password}\n`,
  (password) => `variable "db_password" {\n  type    = string\n  default = "${password}"\n}\n`,
  (password) => `name,password,role\nbob,${password},admin\n`,
  (password) => `| user | password |\n| --- | --- |\n| bob | ${password} |\n`,
  (password) => `source.setPassword("${password}");`,
  (password) => `request.SetBasicAuth("bob", "${password}")`,
  (password) => `session.get(url, auth=('bob', '${password}'))`,
  (password) => `CREATE USER bob WITH PASSWORD '${password}';`,
  (password) => `CREATE USER 'bob'@'%' IDENTIFIED BY '${password}';`,
  (password) => `echo '${password}' | docker login -u bob --password-stdin`,
  (password) => `echo 'bob:${password}' | sudo chpasswd`,
  (password) => `htpasswd -bB .htpasswd bob '${password}'`,
  (password) => `7z a '-p${password}' a.7z docs`.replace("'-p", "-p'"),
  (password) => `mongosh -u bob -p '${password}' --host db`,
  (password) => `keytool -list -storepass '${password}'`,
  (password) => `smbclient //files/docs -U 'bob%${password}'`,
  (password) => `db.internal:5432:app:bob:${password}\n`,
  (password) => `await page.getByLabel('Password').fill('${password}');`,
];

const services = `adafruit algolia asana bitbucket cloudflare codecov coinbase confluent contentful
datadog discord droneci dropbox etsy facebook fastly finnhub flickr freshbooks gitter heroku hubspot
intercom jfrog kraken kucoin launchdarkly linear looker mailgun mattermost netlify new_relic nytimes
okta plaid rapidapi sendbird sentry snyk sonar squarespace sumologic travis twitch twitter yandex
zendesk cohere mistral openai anthropic azure_openai pinecone weaviate`.split(/\s+/);
const credentials = [
  'api_key',
  'token',
  'secret',
  'access_token',
  'client_secret',
  'secret_key',
  'access_key',
];

const keyOf = (random: Random, format: KeyFormat): string =>
  random.pick(format.begins) +
  format.parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const [characters, least, most = least] = part;
      return random.characters(characters, least + random.below(Math.min(most - least, 40) + 1));
    })
    .join('');

/** A number in the format, retried until its check digits are valid. */
function nationalIdOf(random: Random): { secret: string; word: string } {
  const id = random.pick(nationalIds);
  const digits = (length: number) => random.characters(DIGIT, length);
  const forms: Record<string, () => string> = {
    AU: () => digits(9),
    BE: () => `${digits(2)}.${digits(2)}.${digits(2)}-${digits(3)}.${digits(2)}`,
    BR: () => `${digits(3)}.${digits(3)}.${digits(3)}-${digits(2)}`,
    CA: () => `${digits(3)} ${digits(3)} ${digits(3)}`,
    CH: () => `756.${digits(4)}.${digits(4)}.${digits(2)}`,
    CL: () => `${digits(2)}.${digits(3)}.${digits(3)}-${random.characters('0-9K', 1)}`,
    CN: () => `1${digits(5)}19${digits(9)}${random.characters('0-9X', 1)}`,
    DE: () => `${random.characters('1-9', 1)}${digits(10)}`,
    ES: () => `${digits(8)}${random.characters('A-HJ-NP-TV-Z', 1)}`,
    FI: () => `${digits(6)}-${digits(3)}${random.characters('0-9A-Y', 1)}`,
    FR: () => `1${digits(14)}`,
    GB: () =>
      id.keywords
        ? `${digits(3)} ${digits(3)} ${digits(4)}`
        : `AB${digits(6)}${random.characters('A-D', 1)}`,
    IN: () => {
      const groups = [`${random.characters('2-9', 1)}${digits(3)}`, digits(4), digits(4)];
      return groups.join(id.keywords ? '' : ' ');
    },
    IT: () =>
      `${random.characters('A-Z', 6)}${digits(2)}A${digits(2)}H${digits(3)}${random.characters('A-Z', 1)}`,
    KR: () => `${digits(6)}-1${digits(6)}`,
    MX: () =>
      `${random.characters('A-Z', 4)}${digits(6)}H${random.characters('A-Z', 5)}${digits(2)}`,
    NL: () => digits(9),
    NO: () => digits(11),
    PL: () => digits(11),
    PT: () => digits(9),
    RO: () => `1${digits(12)}`,
    SE: () => `${digits(6)}-${digits(4)}`,
    SG: () => `S${digits(7)}${random.characters('A-Z', 1)}`,
    TR: () => `${random.characters('1-9', 1)}${digits(10)}`,
    ZA: () => digits(13),
  };
  const form = forms[id.country];
  if (!form) throw new Error(`no form of numbers for ${id.country}`);
  const pattern = new RegExp(`^(?:${id.pattern})$`);
  for (let tries = 0; tries < 10_000; tries += 1) {
    const secret = form();
    if (pattern.test(secret) && (id.isValid?.(secret) ?? true))
      return { secret, word: id.keywords?.split('|')[0] ?? '' };
  }
  throw new Error(`no valid number of ${id.country} found`);
}

function cardOf(random: Random): string {
  for (;;) {
    const digits = `4${random.characters(DIGIT, 15)}`;
    const sum = Array.from(digits).reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    if (sum % 10 === 0)
      return random.below(2) ? digits : digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  }
}

function ibanOf(random: Random): string {
  const account = random.characters(DIGIT, 18);
  // D is 13 and E is 14.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  const iban = `DE${String(check).padStart(2, '0')}${account}`;
  return random.below(2) ? iban : iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

const base64url = (value: unknown): string =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** Generators of secrets that are detected by their format, by type. */
const byForm: Partial<Record<BuiltinType, (random: Random) => string>> = {
  JWT: (random) =>
    `${base64url({ alg: 'RS256', kid: random.characters(HEX, 8) })}.${base64url({ sub: random.characters(DIGIT, 9) })}.${random.characters(URL_SAFE, 86)}`,
  PRIVATE_KEY: (random) =>
    random.below(2)
      ? walletKeyOf(random)
      : `-----BEGIN ${random.pick(['', 'RSA ', 'EC ', 'OPENSSH '])}PRIVATE KEY-----\n${random.characters('A-Za-z0-9+/', 64)}\n${random.characters('A-Za-z0-9+/', 64)}\n-----END PRIVATE KEY-----`,
  EMAIL: (random) =>
    `${random.characters(LOWER, 5)}.${random.characters('a-z', 6)}@${random.characters('a-z', 8)}.${random.pick(['com', 'co.uk', 'io', 'museum'])}`,
  CREDIT_CARD: cardOf,
  IBAN: ibanOf,
  US_SSN: (random) =>
    `${100 + random.below(500)}-${10 + random.below(89)}-${1000 + random.below(8999)}`,
  IP_ADDRESS: (random) =>
    random.below(2)
      ? `${1 + random.below(126)}.${random.below(256)}.${random.below(256)}.${1 + random.below(254)}`
      : `2001:db8:${random.characters(HEX, 4)}:${random.characters(HEX, 4)}::${random.characters('1-9', 3)}`,
  MAC_ADDRESS: (random) =>
    `0a${random.characters(HEX, 10)}`.replace(/(?<=^(?:..)+)(?=.)/g, random.pick([':', '-'])),
  PHONE: (random) =>
    random.pick([
      () => `+49 30 ${random.characters('1-9', 8)}`,
      () => `+1-${200 + random.below(700)}-555-${1000 + random.below(8999)}`,
      () => `(${200 + random.below(700)}) ${200 + random.below(700)}-${1000 + random.below(8999)}`,
      () => `+44 20 7${random.characters(DIGIT, 3)} ${random.characters(DIGIT, 4)}`,
      () => `+33 6 ${[1, 2, 3, 4].map(() => random.characters(DIGIT, 2)).join(' ')}`,
      () => `+91 9${random.characters(DIGIT, 4)} ${random.characters(DIGIT, 5)}`,
      () => `+55 11 9${random.characters(DIGIT, 4)}-${random.characters(DIGIT, 4)}`,
      () => `+8613${random.characters(DIGIT, 9)}`,
      () =>
        `+47 4${random.characters(DIGIT, 2)} ${random.characters(DIGIT, 2)} ${random.characters(DIGIT, 3)}`,
    ])(),
};

function* ofFormats(random: Random, each: number): Generator<Positive> {
  const place = (type: BuiltinType, secret: string): Positive => ({
    type,
    recognized: 'by format',
    secret,
    text: random.pick(contexts)(secret),
  });
  for (const format of keyFormats)
    for (let n = 0; n < each; n += 1) yield place('API_KEY', keyOf(random, format));
  for (const format of keyFormats) {
    const secret = keyOf(random, format);
    yield { type: 'API_KEY', recognized: 'by format', secret, text: asName(secret) };
  }
  for (const { example } of markedFormats) yield place('API_KEY', example.join(''));
  for (const [type, make] of Object.entries(byForm))
    for (let n = 0; n < each * 8; n += 1) yield place(type as BuiltinType, make(random));
  for (let n = 0; n < each * 30; n += 1) {
    const { secret, word } = nationalIdOf(random);
    yield {
      type: 'NATIONAL_ID',
      recognized: 'by format',
      secret,
      text: `My ${word} number is ${secret}, thanks`,
    };
    // Ids with a weak check are only found next to their name.
    const text = random
      .pick(rows)(secret)
      .replace(/7|Bob/, word === '' ? '$&' : word);
    yield { type: 'NATIONAL_ID', recognized: 'by format', secret, text };
  }
  for (const type of numbers)
    for (let n = 0; n < each * 20; n += 1) {
      const secret = byForm[type]?.(random) ?? '';
      yield { type, recognized: 'by format', secret, text: random.pick(rows)(secret) };
    }
  for (let n = 0; n < each * 8; n += 1) {
    const secret = `app:${random.characters(URL_SAFE, 12)}`;
    yield { ...place('URL_CREDENTIALS', `postgres://${secret}@db.internal:5432/app`), secret };
    const token = random.characters(ALNUM, 24);
    const credential = (text: string): Positive => ({
      type: 'AUTHORIZATION',
      recognized: 'by format',
      secret: token,
      text,
    });
    yield credential(`Authorization: Bearer ${token}`);
    yield credential(`curl 'https://x.io/' -H 'cookie: theme=dark; sid=${token}' -H 'accept: */*'`);
    yield credential(`curl https://x.io/ -b 'sid=${token}' --compressed`);
    yield credential(JSON.stringify({ headers: { 'set-cookie': `sid=${token}; Path=/` } }));
    yield credential(JSON.stringify({ cookies: [{ name: 'sid', value: token, path: '/' }] }));
    yield credential(JSON.stringify({ headers: [['Cookie', `sid=${token}`]] }));
    yield credential(`JSESSIONID=${token}; Path=/app`);
  }
}

const passwords: readonly ((random: Random) => string)[] = [
  (random) =>
    `${random.pick(['Summer', 'Winter', 'Dragon', 'Berlin'])}${random.characters(DIGIT, 4)}!`,
  (random) => random.characters('A-Za-z0-9!@#%^*', 14),
  (random) => `${random.characters('a-z', 6)}${random.characters(DIGIT, 2)}`,
];
const passwordNames = [
  'password',
  'db_password',
  'passwd',
  'user_pwd',
  'admin_passphrase',
  'smtp_password',
  'root_pass',
];

const people = 'Jane John María José Łukasz Ngọc Zoë Anne-Marie O’Neil Müller 伟 Олена'.split(' ');
const streets = 'Main Street,Hauptstraße,Rue de la Paix,Calle Mayor,High Road,桜通り'.split(',');

/** Values that only their member name identifies, also inside the arguments of a call. */
function* ofMembers(random: Random, count: number): Generator<Positive> {
  const member = (type: BuiltinType, name: string, secret: string): Positive => ({
    type,
    recognized: 'by name',
    secret,
    text: random.pick([
      JSON.stringify({ id: 7, [name]: secret }),
      JSON.stringify([{ function: { arguments: JSON.stringify({ user: { [name]: secret } }) } }]),
      `My record:\n\`\`\`json\n${JSON.stringify({ id: 7, [name]: secret }, null, 2)}\n\`\`\`\n`,
      `{"id": 7, "${name}": "${secret}"} is my record`,
    ]),
  });
  const person = (): string => random.pick(people);
  for (let n = 0; n < count; n += 1) {
    yield member('PERSON_NAME', random.pick(['first_name', 'givenName', 'lastName']), person());
    yield member(
      'PERSON_NAME',
      random.pick(['full_name', 'patientName', 'cardholder']),
      `${person()} ${person()}`,
    );
    yield member(
      'POSTAL_ADDRESS',
      random.pick(['street', 'streetAddress', 'address_line1', 'shipping_address']),
      random.pick([
        `${1 + random.below(300)} ${random.pick(streets)}`,
        `${random.pick(streets)} ${1 + random.below(300)}`,
      ]),
    );
  }
}

function* ofNames(random: Random, count: number): Generator<Positive> {
  const lengths = [
    [LOWER, 32],
    [HEX, 32],
    [HEX, 40],
    [ALNUM, 40],
    [URL_SAFE, 43],
    [LOWER, 24],
    [HEX, 64],
    [ALNUM, 20],
  ] as const;
  const assigned = (type: BuiltinType, name: string, secret: string): Positive => ({
    type,
    recognized: 'by name',
    secret,
    text: random.pick(assignments)(name, secret),
  });
  for (let n = 0; n < count; n += 1) {
    const [characters, length] = random.pick(lengths);
    const name = `${random.pick(services)}_${random.pick(credentials)}`;
    yield assigned('SECRET', name, random.characters(characters, length));
    yield assigned('SECRET', 'aws_secret_access_key', random.characters('A-Za-z0-9/+', 40));
    yield assigned('PASSWORD', random.pick(passwordNames), random.pick(passwords)(random));
    const secret = random.pick(passwords)(random);
    const text = random.pick(passwordNotations)(secret);
    yield { type: 'PASSWORD', recognized: 'by name', secret, text };
    const password = random.pick(passwords)(random);
    const user = `${random.pick(['-u', '--user', '-sSu'])} '${random.characters(LOWER, 6)}:${password}'`;
    if (n % 10 === 0)
      yield {
        type: 'PASSWORD',
        recognized: 'by name',
        secret: password,
        text: `curl -X POST ${user} https://example.com`,
      };
  }
}

/** Secrets of every type, generated from their formats. */
export const positives = (random: Random): Positive[] => [
  ...ofFormats(random, 10),
  ...ofNames(random, 300),
  ...ofMembers(random, 50),
];
