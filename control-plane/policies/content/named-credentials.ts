import { regexDetector } from '#domain/redaction/detector.ts';

/** Placeholders instead of a value: `****`, `<password>`, `${PASSWORD}`, `{{ key }}`. */
const placeholder = /^(?:[*x.•_-]+|<.*>?|\$.*|\{\{?.*|%.*%|##.*|null|none|undefined|true|false)$/i;

const isValue = (text: string): boolean => !placeholder.test(text);

/** Detects the value after one of these names: `name=value`, `name: value`, `"name": "value"`. */
const named = (type: string, names: string, least: number) =>
  regexDetector({
    type,
    minLength: least + 4,
    prefilter: new RegExp(names, 'i'),
    pattern: new RegExp(
      String.raw`(?:${names})\\?["']?\s{0,3}(?:=>|:=|[:=])\s{0,3}\\?["']?(?<found>[^\s"'\\,;&<>(){}]{${least},200})`,
      'gi',
    ),
    continuation: /[^\s"'\\,;&<>(){}]{1,1000}/y,
    accept: isValue,
  });

export const password = named('PASSWORD', String.raw`pass(?:word|wd|phrase)|pwd`, 4);
export const namedApiKey = named('API_KEY', String.raw`api[-_]?key`, 8);
export const secret = named(
  'SECRET',
  String.raw`(?:client|app|api)[-_]?secret|secret(?:[-_]?(?:access[-_]?)?key)?`,
  6,
);

export const awsKey = regexDetector({
  type: 'AWS_KEY',
  minLength: 20,
  prefilter: /A(?:KIA|SIA)/,
  pattern: /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
});

export const githubToken = regexDetector({
  type: 'GITHUB_PAT',
  minLength: 24,
  prefilter: /gh[pousr]_|github_pat_/,
  pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_)\w{20,200}/g,
  continuation: /\w{1,1000}/y,
});

/** Gatehouse's own keys and tokens. */
export const ownKey = regexDetector({
  type: 'SVC_KEY',
  minLength: 15,
  prefilter: /svc_s/,
  pattern: /(?<![A-Za-z0-9])svc_s[kud]_\w{8,200}/g,
  continuation: /\w{1,1000}/y,
});

/** Prefixes that many services share, for tokens that `API_KEY` does not detect. */
export const genericToken = regexDetector({
  type: 'TOKEN',
  minLength: 19,
  prefilter: /sk-|[psr]k_(?:live|test)_|token/i,
  pattern:
    /(?<![A-Za-z0-9])(?:(?:sk-(?=[\w-]{0,40}\d)|[psr]k_(?:live|test)_)[\w-]{16,200}|(?:access|auth|refresh|bearer)[-_]?token\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?<found>[\w.~+/=-]{16,200}))/gi,
  continuation: /[\w.~+/=-]{1,1000}/y,
  accept: (candidate) => /\d/.test(candidate),
});
