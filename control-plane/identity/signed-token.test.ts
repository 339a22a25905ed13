import fc from 'fast-check';
import { base64url, jwtVerify, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { readToken, signToken } from './signed-token.ts';

const KEY = Buffer.alloc(32, 1);
const EXP = 2_000_000_000;
const NOW = EXP * 1000 - 1;
const claims = { tid: 'tnt_1', sid: 'ses_1', exp: EXP };
const [header = '', body = '', signature = ''] = signToken(KEY, claims).split('.');

test('tokens that are signed here verify as JWTs elsewhere, and vice versa', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ tid: fc.string({ unit: 'grapheme' }), sid: fc.string() }),
      fc.uint8Array({ minLength: 32, maxLength: 64 }),
      async (claims, key) => {
        const ours = signToken(key, { ...claims, exp: EXP });
        const options = { algorithms: ['HS256'], currentDate: new Date(NOW) };
        expect((await jwtVerify(ours, key, options)).payload).toEqual({ ...claims, exp: EXP });
        const theirs = await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
          .setExpirationTime(EXP)
          .sign(key);
        expect(readToken(key, theirs, NOW)).toEqual({ ...claims, exp: EXP });
      },
    ),
  );
});

test('a token is valid until it expires', () => {
  const token = signToken(KEY, claims);
  expect([readToken(KEY, token, NOW), readToken(KEY, token, NOW + 1)]).toEqual([claims, null]);
});

const encoded = (value: unknown): string => base64url.encode(JSON.stringify(value));
const signedWith = (alg: string) =>
  new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(Buffer.alloc(64, 1));

test.each<[string, string | Promise<string>]>([
  ['nothing', ''],
  ['no token', 'nonsense'],
  ['no signature', `${header}.${body}`],
  ['an empty signature', `${header}.${body}.`],
  ['a part too many', `${header}.${body}.${signature}.${signature}`],
  ['no header', `.${body}.${signature}`],
  ['a signature with padding', `${header}.${body}.${signature}=`],
  ['half a signature', `${header}.${body}.${signature.slice(0, 20)}`],
  ['the signature of other claims', `${header}.${encoded({ ...claims, tid: 'x' })}.${signature}`],
  ['no algorithm', `${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`],
  ['another algorithm', signedWith('HS512')],
  ['another header', new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(KEY)],
  ['another key', signToken(Buffer.alloc(32, 2), claims)],
  ['a token that never expires', signToken(KEY, { tid: 'tnt_1' } as never)],
  ['an expiry that is no time', signToken(KEY, { exp: 'soon' } as never)],
])('%s is rejected', async (_, token) => {
  expect(readToken(KEY, await token, NOW)).toBeNull();
});

test('any text other than the token itself is rejected', () => {
  const token = signToken(KEY, claims);
  const texts = fc
    .tuple(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 2 }))
    .map(([at, text]) => token.slice(0, at) + text + token.slice(at + 1))
    .filter((text) => text !== token);
  fc.assert(fc.property(texts, (text) => readToken(KEY, text, NOW) === null));
});
