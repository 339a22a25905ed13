import { z } from 'zod';
import { count, flag, timestamp } from './fields.ts';
import { roles, routes } from './route.ts';

/** No password is longer: hashing it costs time. How short one may be the password rules say. */
export const password = z.string().min(1).max(1024);

export const user = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  must_change_password: flag.meta({
    description: 'until the password is changed, nothing but that, this answer and signing out',
  }),
  tenant: z.object({ id: z.string(), name: z.string() }),
});

export const session = z.object({
  id: z.string(),
  method: z.enum(['password', 'oidc']),
  address: z.string(),
  user_agent: z.string(),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
  current: z.boolean().meta({ description: 'the one that this request came with' }),
});

/** What stays on this site: no other host, however a browser reads it. */
const localPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\s]*$/, 'expected a path of this console, such as /runs');

const own = { auth: 'session', errors: 'text' } as const;

export const sessionList = z.object({ results: z.array(session), count });

export const signInRoutes = routes({
  listSignInMethods: {
    method: 'GET',
    path: '/api/v1/auth/methods/',
    summary: 'The ways of signing in that there are here',
    auth: 'none',
    errors: 'text',
    response: z.object({
      password: z.boolean(),
      oidc: z
        .object({ name: z.string(), login_url: z.string() })
        .nullable()
        .meta({ description: "the company's own OpenID Connect provider, by its host" }),
    }),
  },
  login: {
    method: 'POST',
    path: '/api/v1/auth/login/',
    summary: 'Sign in: sets the session cookie and answers a token usable as bearer',
    auth: 'none',
    errors: 'text',
    refuses: [401],
    body: z.strictObject({ email: z.string().max(320), password: z.string().max(1024) }),
    response: z.object({ token: z.string(), expires_at: timestamp, user }),
  },
  startOidcSignIn: {
    method: 'GET',
    path: '/api/v1/auth/oidc/login/',
    acts: true,
    summary: "Go to the company's OpenID Connect provider to sign in there",
    auth: 'none',
    errors: 'text',
    refuses: [403, 404, 502],
    query: z.object({ return_to: localPath.default('/') }),
    status: 303,
    response: z.string().meta({ description: "the provider's address" }),
  },
  finishOidcSignIn: {
    method: 'GET',
    path: '/api/v1/auth/oidc/callback/',
    acts: true,
    summary: 'Where the provider sends the browser back: sets the session cookie',
    auth: 'none',
    errors: 'text',
    refuses: [401, 403, 404, 502],
    status: 303,
    response: z.string().meta({ description: 'a path of the console' }),
  },
  logout: {
    ...own,
    method: 'POST',
    path: '/api/v1/auth/logout/',
    summary: 'End this session',
    withOldPassword: true,
    status: 204,
    response: z.undefined(),
  },
  me: {
    ...own,
    method: 'GET',
    path: '/api/v1/auth/me/',
    summary: 'Who is signed in',
    withOldPassword: true,
    response: user,
  },
  changePassword: {
    ...own,
    method: 'POST',
    path: '/api/v1/auth/password/',
    summary: 'Change your own password; ends all your other sessions',
    withOldPassword: true,
    body: z.strictObject({ current_password: z.string().max(1024), new_password: password }),
    status: 204,
    response: z.undefined(),
  },
  listSessions: {
    ...own,
    method: 'GET',
    path: '/api/v1/auth/sessions/',
    summary: 'Your own sessions, the last used first',
    response: sessionList,
  },
  endOtherSessions: {
    ...own,
    method: 'DELETE',
    path: '/api/v1/auth/sessions/',
    summary: 'End all your sessions but this one',
    response: z.object({ ended: count }),
  },
  endSession: {
    ...own,
    method: 'DELETE',
    path: '/api/v1/auth/sessions/{id}/',
    summary: 'End one of your sessions',
    params: z.object({ id: z.string() }),
    status: 204,
    response: z.undefined(),
  },
});
