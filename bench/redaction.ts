/**
 * How much text the redaction engine reads in a second of processor time, with all built-in types:
 * `node bench/redaction.ts`. Chat JSON as objects and as text, and one string of 1 to 8 MB, whose
 * time should grow with its length. The goal is 40 MB/s on one core.
 */
import { builtinDetectors } from '#agent/core/redaction/builtin.ts';
import { keyRules } from '#agent/core/redaction/key-rules.ts';
import { redactJson } from '#agent/core/redaction/redact-json.ts';
import { randomOf } from '#agent/core/redaction/testing/random.ts';

const MB = 1_000_000;
const ROUNDS = 5;

const rules = { detectors: builtinDetectors(), keys: keyRules([]) };
const random = randomOf(7);
const words =
  'The quick brown fox deploys service alpha to region eu-west-1 and checks status 200 in 35 ms; see https://docs.example.com/guide?id=42#top for more.'.split(
    ' ',
  );
const prose = (count: number): string =>
  Array.from({ length: count }, () => random.pick(words)).join(' ');
const code = 'const answer = await fetch(url, { headers: { accept: "application/json" } });';

const chat = {
  model: 'gpt-4o',
  messages: Array.from({ length: 400 }, (_, index) => ({
    role: index % 2 ? 'user' : 'assistant',
    content: `${prose(300)}\n\`\`\`ts\n${code}\n\`\`\`\n`,
  })),
};

/** Characters for each second of processor time, in millions: the best of some rounds. */
function speedOf(value: unknown, length: number): number {
  const speeds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    redactJson(value, rules);
    const { user, system } = process.cpuUsage(before);
    return length / (user + system);
  });
  return Math.max(...speeds);
}

const text = JSON.stringify(chat);
const rows: [string, number][] = [
  ['chat as objects', speedOf(chat, text.length)],
  ['chat as JSON text', speedOf(text, text.length)],
  ...[1, 2, 4, 8].map((size): [string, number] => {
    const one = prose(size * 160_000).slice(0, size * MB);
    return [`one string of ${size} MB`, speedOf(one, one.length)];
  }),
];
for (const [what, speed] of rows)
  process.stdout.write(`${what.padEnd(22)} ${speed.toFixed(0).padStart(4)} MB/s\n`);
