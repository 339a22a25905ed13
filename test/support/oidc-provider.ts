import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { base64url, decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { Provider, type Configuration } from 'oidc-provider';

/**
 * A program: a real OpenID Connect provider. The login name identifies the user, and selects a
 * defect of the ID token: `expired@example.test`. The part before the `@` is also a group.
 */
const { PORT: port = '', REDIRECT_URI: redirectUri = '' } = process.env;
const issuer = `http://localhost:${port}`;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'ES256', use: 'sig' };

/** A suffix after `#` makes another identity with the same email. */
const emailOf = (login: string): string => login.replace(/#.*$/, '');

const configuration: Configuration = {
  clients: [
    {
      client_id: 'gatehouse',
      client_secret: 'shared secret',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [jwk] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
  cookies: { keys: ['test'] },
  pkce: { required: () => true },
  findAccount: (_context, login) => ({
    accountId: login,
    claims: () => ({
      sub: login,
      email: emailOf(login),
      email_verified: !login.startsWith('unverified'),
      groups: login.split(/[.@]/, 1),
    }),
  }),
  // Consent is granted, because it is not tested.
  async loadExistingGrant(context) {
    const { client, session, provider } = context.oidc;
    const grant = new provider.Grant({
      clientId: client?.clientId ?? '',
      accountId: session?.accountId ?? '',
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
};

const provider = new Provider(issuer, configuration);

const HOUR = 3600;
const tampering: Readonly<Record<string, (claims: JWTPayload) => JWTPayload>> = {
  expired: (claims) => ({ ...claims, iat: at(-2 * HOUR), exp: at(-HOUR) }),
  late: (claims) => ({ ...claims, iat: at(-90), exp: at(-45) }),
  audience: (claims) => ({ ...claims, aud: 'somebody-else' }),
  issuer: (claims) => ({ ...claims, iss: 'https://elsewhere.test' }),
  nonce: (claims) => ({ ...claims, nonce: 'of another sign-in' }),
  unsigned: (claims) => claims,
  forged: (claims) => claims,
};

const at = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

async function tampered(kind: string, idToken: string): Promise<string> {
  const claims = tampering[kind]?.(decodeJwt(idToken));
  if (!claims) return idToken;
  if (kind === 'unsigned') {
    const header = base64url.encode(JSON.stringify({ alg: 'none' }));
    return `${header}.${base64url.encode(JSON.stringify(claims))}.`;
  }
  const key =
    kind === 'forged' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey;
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'test' })
    .sign(createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' })));
}

provider.use(async (context, next) => {
  await next();
  const body = context.body as { id_token?: string } | undefined;
  if (context.path !== '/token' || !body?.id_token) return;
  const login = String(decodeJwt(body.id_token).sub);
  body.id_token = await tampered(login.split(/[.@]/, 1)[0] ?? '', body.id_token);
});

const handle = provider.callback();
createServer((request, response) => void handle(request, response)).listen(
  Number(port),
  '127.0.0.1',
  () => process.stdout.write('provider ready\n'),
);
