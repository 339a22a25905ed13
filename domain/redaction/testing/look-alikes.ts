import { ALNUM, DIGIT, HEX, LOWER } from '../keys/key-format.ts';
import type { Random } from './random.ts';

const hex = (random: Random, length: number): string => random.characters(HEX, length);
const digits = (random: Random, length: number): string => random.characters(DIGIT, length);
const uuid = (random: Random): string =>
  [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');
const word = (random: Random): string =>
  random.pick(
    `alpha beta gamma order invoice customer region service worker queue handler index cache build release
     config schema header footer button layout token key secret password user account`.split(/\s+/),
  );

const BASE58_CLASS = '1-9A-HJ-NP-Za-km-z';

/** Random text without secrets: ids, hashes, versions, times, code, prose. */
const kinds: readonly ((random: Random) => string)[] = [
  (random) => `run ${uuid(random)} finished`,
  (random) => `commit ${hex(random, 40)}`,
  (random) => `LED_PIN = ${random.below(40)}; pinMode(${random.below(40)}, OUTPUT);`,
  (random) =>
    `Mumbai, PIN code ${1 + random.below(9)}${digits(random, 5)}, otp: ${random.below(30)}.1`,
  (random) => `sha256:${hex(random, 64)}`,
  (random) =>
    `1${random.characters(BASE58_CLASS, 33)} sent it to 5${random.characters(BASE58_CLASS, 50)}`,
  (random) => `G${random.characters('A-Z2-7', 55)} or S${random.characters('A-Z2-7', 55)}`,
  (random) => `"integrity": "sha512-${random.characters(ALNUM, 60)}=="`,
  (random) => `etag: W/"${hex(random, 16)}"`,
  (random) =>
    `version ${random.below(20)}.${random.below(30)}.${random.below(90)}-rc.${random.below(9)}`,
  (random) =>
    `2026-${10 + random.below(3)}-${10 + random.below(18)}T${10 + random.below(13)}:30:00.${digits(random, 3)}Z`,
  (random) => `"timestamp": 17${digits(random, 11)}, "duration_ms": ${digits(random, 4)}`,
  (random) =>
    `max_tokens=${digits(random, 4)} token_count: ${digits(random, 5)} total_tokens: ${digits(random, 6)}`,
  (random) =>
    JSON.stringify({
      usage: { input_tokens: random.below(9999), output_tokens: random.below(999) },
    }),
  (random) => `const ${word(random)}Key = '${word(random)}-${word(random)}-${digits(random, 2)}';`,
  (random) => `primary_key: ${word(random)}_id, foreign_key: ${word(random)}_${word(random)}_id`,
  (random) => `"cache_key": "${word(random)}:${uuid(random)}"`,
  (random) => `"partitionKey": "${word(random)}#${digits(random, 6)}"`,
  (random) => `"next_page_token": "${random.characters(ALNUM, 24)}"`,
  (random) => `idempotency-key: ${uuid(random)}`,
  (random) =>
    `"id": "${random.pick(['msg', 'run', 'call', 'chatcmpl', 'req', 'evt'])}_${random.characters(ALNUM, 24)}"`,
  () => 'api_key = os.environ["OPENAI_API_KEY"]',
  (random) => `apiKey: process.env.${word(random).toUpperCase()}_API_KEY,`,
  (random) => `password: \${${word(random).toUpperCase()}_PASSWORD}`,
  (random) => `secret: projects/${word(random)}/secrets/${word(random)}-${random.below(9)}`,
  (random) => `token: {{ .Values.${word(random)}.token }}`,
  (random) => `password = get_${word(random)}_password()`,
  (random) =>
    `export function check${random.pick(['Password', 'Token', 'Secret'])}(value: string): boolean;`,
  () => '"password": "Enter your password"',
  (random) =>
    `Please rotate the ${random.pick(['password', 'token', 'secret'])}: it expires in ${random.below(90)} days.`,
  (random) =>
    `"${random.pick(['password', 'apiKey', 'token'])}": { "type": "string", "minLength": ${random.below(20)} }`,
  () => 'OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  () => 'export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  () => 'ANTHROPIC_API_KEY=your-api-key-here',
  () => 'curl -H "Authorization: Bearer $(cat token.txt)" https://api.example.com',
  () => 'curl -H "Authorization: Bearer ${TOKEN}" https://api.example.com',
  (random) => `Authorization: Bearer <${word(random)}-token>`,
  (random) => `class="sk-${word(random)}-${word(random)}-animation pk-${word(random)}"`,
  (random) => `import { ${word(random)}Token } from './${word(random)}/token-${word(random)}.ts';`,
  (random) =>
    `/usr/lib/${word(random)}/${word(random)}-${random.below(9)}/${word(random)}.so.${random.below(9)}`,
  (random) =>
    `https://example.com/${word(random)}/${hex(random, 12)}?page=${random.below(99)}&sort=${word(random)}`,
  (random) => `s3://${word(random)}-bucket/${word(random)}/2026/11/${digits(random, 8)}.parquet`,
  (random) => `arn:aws:iam::${digits(random, 12)}:role/${word(random)}`,
  (random) =>
    `order ${digits(random, 8)}, invoice INV-${digits(random, 6)}, ticket #${digits(random, 5)}`,
  (random) => `mac aa:bb:cc:${hex(random, 2)}:${hex(random, 2)}:${hex(random, 2)}`,
  (random) => `+${random.below(9)}.${digits(random, 9)} and -0.${digits(random, 9)}`,
  (random) => `balance: +${1 + random.below(9)}${digits(random, 8)}`,
  (random) => `at 10:30 +0${random.below(9)}00, 2026-11-${10 + random.below(19)} 12:30:45`,
  (random) => `fax: 2026-11-${10 + random.below(19)}, phone: none, mobile: ${random.below(99)}%`,
  (random) => JSON.stringify({ name: word(random), file_name: `${word(random)}.ts` }),
  (random) => JSON.stringify({ full_name: `${word(random)}/${word(random)}`, city: 'Paris' }),
  (random) =>
    JSON.stringify({ first_name: 'string', street: 'string', zip: `${word(random)}.zip` }),
  (random) => JSON.stringify({ address: `0x${hex(random, 40)}`, display_name: word(random) }),
  (random) => `color: #${hex(random, 6)}; width: ${digits(random, 3)}px`,
  (random) => `npm_config_${word(random)}_${word(random)}=true`,
  (random) =>
    `left-pad@${random.below(9)}.${random.below(9)}.${random.below(9)} and @scope/${word(random)}`,
  (random) =>
    `at ${word(random)} (file:///app/${word(random)}.ts:${random.below(400)}:${random.below(80)})`,
  (random) => `The ${word(random)} of the ${word(random)} is a ${word(random)}, said the author.`,
  (random) =>
    `pass ${random.below(90)} of ${random.below(900)}; bypass=${word(random)}; passed: ${random.below(99)}`,
  (random) =>
    `<input type="password" name="password" autocomplete="current-password" id="${word(random)}">`,
  (random) =>
    `data:image/png;base64,${btoa(Array.from({ length: 60 }, () => String.fromCharCode(random.below(256))).join(''))}`,
  (random) =>
    `"embedding": [0.${digits(random, 8)}, -0.${digits(random, 8)}, 0.${digits(random, 8)}]`,
  (random) =>
    `isbn 978-${random.below(9)}-${digits(random, 2)}-${digits(random, 6)}-${random.below(9)}`,
  (random) =>
    `model: claude-sonnet-4-5-2025${digits(random, 4)}, temperature: 0.${random.below(9)}`,
  (random) => `request_id=req_${random.characters(LOWER, 20)} status=200`,
  (random) =>
    `key_id: ${uuid(random)}, key_name: ${word(random)}, secret_name: ${word(random)}-${word(random)}`,
  (random) =>
    JSON.stringify({
      password: { type: 'string', description: `The ${word(random)}'s password.`, minLength: 8 },
    }),
  (random) =>
    JSON.stringify({ token: { text: word(random), id: random.below(9999), special: true } }),
  (random) => JSON.stringify({ secret: { name: `${word(random)}-${word(random)}`, value: null } }),
  () =>
    JSON.stringify([
      { name: 'password', value: '' },
      { name: 'token', value: '${TOKEN}' },
    ]),
  (random) => JSON.stringify({ name: 'ticket', value: `${word(random)} ${digits(random, 6)}` }),
  (random) => JSON.stringify({ key: `${word(random)}_id`, value: uuid(random) }),
  (random) => JSON.stringify({ field: 'password', type: 'secret', label: `Your ${word(random)}` }),
  (random) => JSON.stringify({ [`${word(random)}_${word(random)}_${digits(random, 6)}`]: 1 }),
  (random) => JSON.stringify({ [uuid(random)]: { state: word(random) }, [hex(random, 40)]: true }),
  (random) =>
    `--b7\r\nContent-Disposition: form-data; name="${word(random)}_id"\r\n\r\n${uuid(random)}\r\n--b7--`,
  (random) => `<label for="password" name="password">\n\nForgot your ${word(random)}?</label>`,
  (random) => `docker run -u ${digits(random, 4)}:${digits(random, 4)} ${word(random)}:latest`,
  (random) => `curl -fsSL https://example.com | docker run --user app:${word(random)}42 x`,
  (random) => `curl -u "$${word(random).toUpperCase()}:$PASSWORD" https://example.com`,
  () => 'curl -u user:password https://example.com',
  (random) =>
    `${1 + random.below(9)},${digits(random, 3)},${digits(random, 3)}.${digits(random, 2)} USD, ${digits(random, 2)},${digits(random, 2)} EUR`,
  (random) => `7,${digits(random, 4)},${digits(random, 6)},31`,
  (random) => `x;0,${digits(random, 16)};${digits(random, 3)},${digits(random, 2)};y`,
  (random) => `a ratio of 0,${digits(random, 11)} and 0.${digits(random, 16)}`,
  (random) => `${digits(random, 4)}.${digits(random, 4)} ${digits(random, 4)}.${digits(random, 4)}`,
  (random) => `Set-Cookie: theme=${word(random)}; Path=/; Max-Age=31536000; SameSite=Lax`,
  (random) => `document.cookie = "lang=${word(random)}; path=/"; cookie: string;`,
  (random) => `We use cookies: ${word(random)} and ${word(random)}.`,
  (random) => `session_id=${random.characters(LOWER, 24)} sessionid=${uuid(random)}`,
  (random) => `curl -b cookies.txt -p https://example.com/?sig=${word(random)}`,
  (random) => `docker run -p ${digits(random, 4)}:${digits(random, 4)} ${word(random)}`,
  (random) => `ssh -p ${digits(random, 4)} app@host; mysql -u root -p ${word(random)}`,
  (random) =>
    JSON.stringify([
      ['name', word(random)],
      ['password', word(random)],
    ]),
  (random) => JSON.stringify({ required: ['token', `${word(random)}_id`] }),
  (random) => JSON.stringify({ d: random.characters(ALNUM, 24), k: random.characters(ALNUM, 40) }),
  (random) =>
    `config:\n\`\`\`json\n${JSON.stringify({ name: word(random), zip: `${word(random)}.zip`, n: 4111111111111112 + random.below(7) }, null, 2)}\n\`\`\``,
  (random) => JSON.stringify({ id: 4111111111111111 + random.below(99), ssn_count: 536904399 }),
  (random) =>
    JSON.stringify({ pass: 1000 + random.below(99999), card: random.below(99), sin: 1234567 }),
  (random) => `curl -s https://example.com/${word(random)}\nchown -u app:group1234 .`,
];

/** Texts that look like secrets but contain none. */
export const lookAlikes = (random: Random, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const make = kinds[index % kinds.length];
    if (!make) throw new Error('there are no kinds of look-alikes');
    return make(random);
  });
