import { membersOf } from '../search/code-units.ts';
import { endOf, endOfAll, type Finding } from '../detector.ts';
import { isSecretValue } from '../named-secrets/secret-value.ts';

/** A parameter of URLs, or a cookie, whose value grants access: `name=value`. */
export interface CredentialParameter {
  /** The source of a pattern for the name, case-insensitive. */
  name: string;
  /** The source of a pattern for the value. */
  value: string;
  source: string;
  /** The value is in brackets. */
  example: string;
  counterExample: string;
}

const HEX_64 = '3f9a'.repeat(16);
const SESSION = String.raw`[\w%.+/:~!-]{16,1000}`;

const sessionCookie = (name: string, source: string, cookie: string): CredentialParameter => ({
  name,
  value: SESSION,
  source,
  example: `${cookie}=[7F3K2M9X8Q1W5E4R6T7Y8U9I]`,
  counterExample: `${cookie}=deleted`,
});

export const credentialParameters: readonly CredentialParameter[] = [
  {
    name: 'sig',
    value: '(?:[A-Za-z0-9+/]|%2[BF]){30,100}(?:=|%3D){0,2}',
    source: 'learn.microsoft.com/rest/api/storageservices/create-service-sas',
    example:
      'https://x.blob.core.windows.net/a?sv=2020&sig=[a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8%2BtU%3D]',
    counterExample: 'https://example.com/a?sig=none&x=1',
  },
  {
    name: 'X-Amz-Signature',
    value: '[0-9a-f]{64,200}',
    source: 'docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html',
    example: `https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=[${HEX_64}]`,
    counterExample:
      'https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=x',
  },
  {
    name: 'Signature',
    value: '[0-9a-f]{64}(?![0-9a-f])',
    source: 'docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html',
    example: `Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=[${HEX_64}]`,
    counterExample: 'Signature=none',
  },
  {
    // Of Signature Version 4A, a sequence in DER.
    name: 'Signature',
    value: '30[0-9a-f]{134,142}(?![0-9a-f])',
    source: 'docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-signing-elements.html',
    example: `Authorization: AWS4-ECDSA-P256-SHA256 SignedHeaders=host, Signature=[3045${HEX_64}${HEX_64}0a1b]`,
    counterExample: 'Authorization: AWS4-ECDSA-P256-SHA256 SignedHeaders=host, Signature=3045',
  },
  {
    name: 'X-Amz-Credential',
    value: String.raw`[A-Z0-9]{16,128}(?:/|%2F)[\w%/-]{8,200}`,
    source: 'docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html',
    example:
      'k?X-Amz-Credential=[0O1I8L9B0O1I8L9B0O1I%2F20261102%2Fus-east-1%2Fs3%2Faws4_request]&x=1',
    counterExample: 'k?X-Amz-Credential=<key>/<date>/<region>/s3/aws4_request',
  },
  {
    name: 'X-Amz-Security-Token',
    value: '[A-Za-z0-9%+/=]{50,1000}',
    source: 'docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html',
    example: `k?X-Amz-Security-Token=[IQoJb3JpZ2luX2VjEJr${'a1B2c3'.repeat(8)}]&x=1`,
    counterExample: 'k?X-Amz-Security-Token=none',
  },
  {
    name: 'X-Goog-Signature',
    value: '[0-9a-f]{64,1000}',
    source: 'docs.cloud.google.com/storage/docs/authentication/canonical-requests',
    example: `https://storage.googleapis.com/b/k?X-Goog-Signature=[${HEX_64}]`,
    counterExample: 'k?X-Goog-Signature=SIGNATURE',
  },
  {
    name: 'X-Goog-Credential',
    value: String.raw`[\w.@%-]{6,200}(?:/|%2F)\d{8}(?:/|%2F)[\w%/-]{8,100}`,
    source: 'docs.cloud.google.com/storage/docs/authentication/canonical-requests',
    example:
      'k?X-Goog-Credential=[app%40p-1.iam.gserviceaccount.com%2F20261102%2Fauto%2Fstorage%2Fgoog4_request]&x=1',
    counterExample: 'k?X-Goog-Credential=CREDENTIAL_SCOPE',
  },
  {
    // Other keys in URLs are numbers, words, paths or UUIDs.
    name: '(?<=[?&])key',
    value: String.raw`(?![\da-f]{8}-[\da-f]{4}-)[\w-]{24,200}(?![\w/.-])`,
    source:
      'docs.cloud.google.com/docs/authentication/api-keys-use, developer.atlassian.com/cloud/trello/guides/rest-api/authorization',
    example: 'https://maps.example.com/api?key=[a1B2c3D4e5F6g7H8i9J0k1L2]&q=a',
    counterExample: 'https://example.com/a?key=3f9a3f9a-5d1c-4c56-9a3e-1f2d3c4b5a69',
  },
  {
    name: '(?<=[?&])code',
    value: '[\\w-]{40,120}(?:={1,2}|(?:%3D){1,2})',
    source: 'learn.microsoft.com/azure/azure-functions/function-keys-how-to',
    example: `https://app.azurewebsites.net/api/f?code=[${'a1B2c3D4e5F6'.repeat(4)}==]`,
    counterExample: 'https://example.com/callback?code=a1B2c3D4e5F6&state=1',
  },
  sessionCookie('JSESSIONID', 'Jakarta Servlet 6.1, 7.1.1', 'JSESSIONID'),
  sessionCookie('PHPSESSID', 'php.net/manual/session.configuration.php', 'PHPSESSID'),
  sessionCookie(
    String.raw`ASP\.NET_SessionId|ASPSESSIONID[A-Z]{8}|\.AspNetCore\.(?:Cookies|Session)`,
    'learn.microsoft.com/aspnet',
    'ASP.NET_SessionId',
  ),
  sessionCookie(
    String.raw`connect\.sid`,
    'expressjs.com/resources/middleware/session',
    'connect.sid',
  ),
  sessionCookie('laravel_session|ci_session', 'laravel.com/docs/session', 'laravel_session'),
  sessionCookie(
    String.raw`(?:__(?:Secure|Host)-)?(?:next-auth|authjs)\.session-token`,
    'authjs.dev/reference/core',
    '__Secure-authjs.session-token',
  ),
  sessionCookie(
    'wordpress_(?:logged_in|sec)_[0-9a-f]{32}',
    'developer.wordpress.org/advanced-administration/wordpress/cookies',
    `wordpress_logged_in_${'3f'.repeat(16)}`,
  ),
  {
    name: 'sessionid|csrftoken',
    // Django's keys have no dashes. Ids of other sessions are often UUIDs.
    value: String.raw`[A-Za-z0-9]{24,64}(?![\w-])`,
    source: 'docs.djangoproject.com/en/5.2/ref/settings/#session-cookie-name',
    example: 'sessionid=[7f3k2m9x8q1w5e4r6t7y8u9i0o1p2a3s]',
    counterExample: 'sessionid=0b9f6c1e-5d1c-4c56-9a3e-1f2d3c4b5a69',
  },
];

/** A credential after its name, tried at the start of the value. */
const parameter = new RegExp(
  credentialParameters
    .map(({ name, value }) => String.raw`(?<=(?<![\w.%-])(?:${name})=)${value}`)
    .join('|'),
  'iy',
);
const continuation = /[\w%+/=-]{1,1000}/y;

/** 1 for each character of a value. */
const isValueCharacter = membersOf(/[\w%.+/:~!@-]/);

/** Tests some of the first sixteen characters, because every value is at least that long. */
const mayBeValue = (text: string, at: number): boolean =>
  isValueCharacter[text.charCodeAt(at + 15)] === 1 &&
  isValueCharacter[text.charCodeAt(at + 3)] === 1 &&
  isValueCharacter[text.charCodeAt(at)] === 1 &&
  isValueCharacter[text.charCodeAt(at + 7)] === 1;

/** The values of the parameters in a text. Only the few long values after a `=` are looked at. */
export function findParameters(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let sign = text.indexOf('='); sign !== -1; sign = text.indexOf('=', sign + 1)) {
    const start = sign + 1;
    if (!mayBeValue(text, start)) continue;
    const end = endOf(parameter, text, start);
    if (end === -1 || !isCredential(text.slice(start, end))) continue;
    findings.push({ start, end: endOfAll(continuation, text, end) });
    sign = end;
  }
  return findings;
}

const isCredential = (value: string): boolean =>
  /^[\da-f]{64}/i.test(value) ||
  isSecretValue('secret', value, { isQuoted: true, isUnspaced: true });

const sessionNames = new RegExp(
  `^(?:${credentialParameters.map(({ name }) => name).join('|')})$`,
  'i',
);
const sessionValue = new RegExp(`^${SESSION}$`);
const MAX_NAME_LENGTH = 60;

/** Whether a member holds the value of such a parameter or cookie: `{"JSESSIONID": "…"}`. */
export const isParameterName = (member: string): boolean =>
  member.length <= MAX_NAME_LENGTH && sessionNames.test(member);

export const isParameterValue = (value: string): boolean =>
  sessionValue.test(value) && isCredential(value) && !uuid.test(value);

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
