import { endOf, type Finding } from '../detector.ts';
import { isSecretValue } from '../named-secrets/secret-value.ts';

/** A scheme of `Authorization` whose credentials are parameters (RFC 9110, 11.4). */
export interface ParameterScheme {
  /** The source of a pattern for its name, case-insensitive. */
  scheme: string;
  /** The parameters that prove who sends the request. Names, nonces and timestamps are kept. */
  credentials: readonly string[];
  source: string;
  /** Parameters of the scheme. The credentials are in brackets. */
  example: string;
  counterExample: string;
}

export const parameterSchemes: readonly ParameterScheme[] = [
  {
    scheme: 'Digest',
    credentials: ['response'],
    source: 'RFC 7616, 3.4',
    example:
      'username="ann", realm="a, b", nonce="7ypf/xlj9XXwfDPEoM4URrv", cnonce="f2/wE4q74E6zIJEtWaHKaf5w", response="[753927fa0e85d155564e2e272a28d180]", opaque="FQhe/qaU925kfnzjCev0ciny"',
    counterExample: 'username="ann", realm="a", nonce="7ypf/xlj9XXwfDPEoM4URrv", response="<hash>"',
  },
  {
    scheme: 'Hawk|MAC',
    credentials: ['mac'],
    source: 'github.com/mozilla/hawk, draft-ietf-oauth-v2-http-mac-05',
    example:
      'id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", mac="[6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE=]"',
    counterExample: 'id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", mac="the-computed-mac"',
  },
  {
    scheme: 'OAuth',
    credentials: ['oauth_token', 'oauth_signature'],
    source: 'RFC 5849, 3.5.1',
    example:
      'oauth_consumer_key="0685bd9184jfhq22", oauth_token="[ad180jjd733klru7]", oauth_signature="[wOJIO9A2W5mFwDgiDvZbTSMK%2FPY%3D]", oauth_nonce="4572616e48616d6d65724c61686176", oauth_version="1.0"',
    counterExample: 'realm="Example", oauth_token="$TOKEN", oauth_signature="${signature}"',
  },
  {
    scheme: 'Signature',
    credentials: ['signature'],
    source: 'draft-cavage-http-signatures-12, 3',
    example:
      'keyId="Test",algorithm="rsa-sha256",headers="(request-target) host",signature="[qdx+H7PHHDZgy4y/Ahn9Tny9V3GP6YgBPyUXMmoxWtLbHpUnXS2mg2+SbrQDMCJy]"',
    counterExample: 'keyId="Test",algorithm="rsa-sha256",signature="Base64(RSA-SHA256(text))"',
  },
  {
    scheme: 'EG1-HMAC-SHA256',
    credentials: ['client_token', 'access_token', 'signature'],
    source: 'techdocs.akamai.com/developer/docs/authenticate-with-edgegrid',
    example:
      'client_token=[akab-4t5k3m2n6x7q8w9e];access_token=[akab-9z8y7x6w5v4u3t2s];timestamp=20261102T10:20:30+0000;nonce=0b9f6c1e-5d1c-4c56-9a3e-1f2d3c4b5a69;signature=[aJ3q5b8Kd0p2s4v6x8z1C3e5G7i9K1m3O5q7S9u1W3y=]',
    counterExample: 'client_token=YOUR_TOKEN;access_token=$TOKEN;signature=${signature}',
  },
];

const schemes = parameterSchemes.map(({ scheme, credentials }) => ({
  pattern: new RegExp(
    String.raw`authorization(?<=(?<![a-z0-9])(?:proxy-)?authorization)\\{0,7}["']?\s{0,3}[=:]\s{0,3}\\{0,7}["'\x60]?(?:${scheme}) {1,3}(?=[a-z_]{2,30} ?=)`,
    'iy',
  ),
  credentials: new Set(credentials),
}));

/** One parameter. In a string, its quotes are escaped. */
const parameter =
  /([A-Za-z_]{2,30}) ?= ?(?:\\{0,7}"([^"\\\n]{0,4000})\\{0,7}"|([^\s"'`\\,;]{1,4000}))/y;
const separator = /\s{0,3}[,;]\s{0,20}|[ \t]{1,3}/y;

/** The credentials in headers at the word `authorization`. Only their parameters are read. */
export function findSchemeParameters(text: string, words: readonly number[]): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const word of words) {
    if (word < done) continue;
    for (const { pattern, credentials } of schemes) {
      const start = endOf(pattern, text, word);
      if (start === -1) continue;
      done = addCredentials(findings, text, start, credentials);
      break;
    }
  }
  return findings;
}

/** Adds the credentials among the parameters at a position, and returns the end of the parameters. */
function addCredentials(
  findings: Finding[],
  text: string,
  start: number,
  credentials: ReadonlySet<string>,
): number {
  let end = start;
  for (let at = start; at !== -1; at = endOf(separator, text, end)) {
    parameter.lastIndex = at;
    const [found, name = '', quoted, bare = ''] = parameter.exec(text) ?? [];
    if (found === undefined) break;
    end = parameter.lastIndex;
    const value = quoted ?? bare;
    if (!credentials.has(name.toLowerCase()) || !isCredential(value)) continue;
    const valueStart = text.lastIndexOf(value, end - 1);
    findings.push({ start: valueStart, end: valueStart + value.length });
  }
  return end;
}

const isCredential = (value: string): boolean =>
  isSecretValue('secret', value, { isQuoted: true, isUnspaced: true });
