/**
 * Measures how much text the redaction engine processes per CPU second, with all built-in types:
 * `node bench/redaction.ts`. The inputs are chat JSON as objects and as text, of prose and of a
 * coding session (whose tools read this repository), and one string of 1 to 8 MB, whose time should
 * be linear. The goal is 40 MB/s on one core. `node bench/redaction.ts detectors` measures each
 * detector alone, and adversarial texts.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinDetectors } from '#domain/redaction/builtin.ts';
import { memberRules } from '#domain/redaction/member-rules.ts';
import { createJsonRedactor } from '#domain/redaction/redact-json.ts';
import { lookAlikes } from '#domain/redaction/testing/look-alikes.ts';
import { randomOf } from '#domain/redaction/testing/random.ts';

const MB = 1_000_000;
const ROUNDS = process.argv[2] === 'detectors' ? 2 : 15;

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const random = randomOf(7);
const words =
  'The quick brown fox deploys service alpha to region eu-west-1 and checks status 200 in 35 ms; see https://docs.example.com/guide?id=42#top for more.'.split(
    ' ',
  );
const prose = (count: number): string =>
  Array.from({ length: count }, () => random.pick(words)).join(' ');
const CODE = 'const answer = await fetch(url, { headers: { accept: "application/json" } });';

const chat = {
  model: 'gpt-4o',
  messages: Array.from({ length: 400 }, (_, index) => ({
    role: index % 2 ? 'user' : 'assistant',
    content: `${prose(300)}\n\`\`\`ts\n${CODE}\n\`\`\`\n`,
  })),
};

/** The requests of a coding agent contain files as tool results, and tool calls with arguments. */
const root = join(import.meta.dirname, '..');
const files = globSync(['docs/**/*.md', 'control-plane/{http,policy,recording}/**/*.ts'], {
  cwd: root,
}).sort();
const session = {
  model: 'gpt-4o',
  messages: files.flatMap((path, index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call_${random.characters('A-Za-z0-9', 24)}`,
          type: 'function',
          function: { name: 'read_file', arguments: JSON.stringify({ path, from_line: index }) },
        },
      ],
    },
    { role: 'tool', content: readFileSync(join(root, path), 'utf8') },
  ]),
};

/** As on a device, one redactor masks many values. */
const redactAll = createJsonRedactor(rules);

/** The speed in millions of characters per CPU second, the maximum of some rounds. */
function speedOf(value: unknown, length: number, redactJson = redactAll): number {
  const speeds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    redactJson(value);
    const { user, system } = process.cpuUsage(before);
    return length / (user + system);
  });
  return Math.max(...speeds);
}

function print(rows: readonly [string, number][]): void {
  for (const [what, speed] of rows)
    process.stdout.write(`${what.padEnd(34)} ${speed.toFixed(0).padStart(4)} MB/s\n`);
}

function benchChat(): void {
  const text = JSON.stringify(chat);
  const sessionText = JSON.stringify(session);
  const alike = lookAlikes(random, 20_000).join('\n');
  print([
    ['chat as objects', speedOf(chat, text.length)],
    ['chat as JSON text', speedOf(text, text.length)],
    ['coding session as objects', speedOf(session, sessionText.length)],
    ['coding session as JSON text', speedOf(sessionText, sessionText.length)],
    ...[1, 2, 4, 8].map((size): [string, number] => {
      const one = prose(size * 160_000).slice(0, size * MB);
      return [`one string of ${size} MB`, speedOf(one, one.length)];
    }),
    ['only texts that resemble secrets', speedOf(alike, alike.length)],
  ]);
}

/** Adversarial texts. Every part of them starts like a finding. */
const slowing = [
  'a,1,1 ,1-,.,@,a@,a.@a.,:,a:,1.,1.1.1.,+,+1,+1 ,+49301234567 ,://,://a:,://a:b,eyJ,eyJa.,sk-,sk-1',
  'A,AB,AB12,DE89,DE89 ,(,%41,Bearer ,authorization:,x-a-key,-----BEGIN ,-----END ,::,a:b:,é,"',
  '-----BEGIN PRIVATE KEY-----,4111 1111 ,4111,123456 ,529.982.247-26 ,tel: 1,phone 030 ,ssn ,CPF 1',
  'password,pw=,key,key=,secret=a1 ,token=",--token ,gh,ghp_,Q~,-us,.atlasv1.,|,YWJj',
  'aGVsbG8gd29ybGQgYWJj ,cookie: a=,sig=,=a1B2c3D4e5F6g7H8,mysql -pa1 ,curl -b a=1 ,{"a": ,@ö.',
  'token=,auth=,secret=a=,machine a login b password ,Private-Lines: 1 ,+ASb,JQQJ9,/AQE,xoxd-a1-,key_,.a1B2',
  'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98618 ,nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe6 ',
  'k=0x4c0883a69102937d6231471b5dbb6204fe512961708279f1a3b2c5d7e9f00a1b ,mnemonic: legal winner thank ',
  'client("zBmJ1kiUqI5RP0xWv7TgLd3N"),/token/Zk3f9Qx7LmPq2RtYv8Wn,/password/hunter2!x,connect(a',
  '|password|a1b2c3|,a;password;a1b2c3!\n,<td>password</td><td>a1b2c3</td>,<b>password:</b> a1b2c3<br>',
  '7ooKWTrvBzGDsiwXaG9mGVUk3sn8xA7MjnSFxpuxRV7tAycTrtVdMMbegrPznUcSi6ZjhpVPzGhHrFc3N8ijRi7 ',
  'seed ,seed phrase: legal winner thank year wave sausage worth useful legal winner thank zoo; ',
].flatMap((line) => line.split(','));

/** Measures the slowest text of each detector, and whether its time is linear. */
function benchDetectors(): void {
  const each = rules.detectors.map((detector) => [detector]);
  for (const detectors of [...each, rules.detectors]) {
    const using = createJsonRedactor({ ...rules, detectors });
    const speeds = slowing.map((unit): [number, string] => {
      const text = unit.repeat(MB / unit.length);
      return [speedOf(text, text.length, using), unit];
    });
    const [[slowest, unit] = [0, '']] = speeds.sort(([a], [b]) => a - b);
    const longer = unit.repeat((4 * MB) / unit.length);
    const type = detectors.length === 1 ? detectors[0]?.type : 'all of them';
    const figures = [slowest, speedOf(longer, longer.length, using)];
    process.stdout.write(
      `${(type ?? '').padEnd(18)} ${figures.map((figure) => figure.toFixed(0).padStart(5)).join('')} MB/s  ${JSON.stringify(unit)}\n`,
    );
  }
}

if (process.argv[2] === 'detectors') benchDetectors();
else benchChat();
