import { z } from 'zod';
import { count, flag, timestamp } from './fields.ts';
import { roles, routes } from './route.ts';

/**
 * The maximum length limits the cost of hashing. The minimum length depends on the password rules.
 */
export const password = z.string().min(1).max(1024);

export const user = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  must_change_password: flag.meta({
    description:
      'true: until the password is changed, only that, this route and signing out are allowed',
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
  current: z.boolean().meta({ description: 'true: the session of this request' }),
});

/** A session of a browser, which can have several of them and uses one at a time. */
export const browserSession = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  tenant: z.object({
    id: z.string(),
    name: z.string(),
    suspended: z.boolean().meta({ description: 'true: it, or a tenant above it, is suspended' }),
  }),
  expires_at: timestamp,
  current: z.boolean(),
});

/** A path on this site that no browser can read as another host. */
const localPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\s]*$/, 'expected a path of this console, such as /runs');

const own = { auth: 'session', errors: 'text' } as const;

/** Routes that leave an account are never refused because of a problem with that account. */
const alwaysAllowed = { allowsExpiredPassword: true, allowsSuspendedTenant: true } as const;

export const sessionList = z.object({ results: z.array(session), count });

export const signInRoutes = routes({
  listSignInMethods: {
    method: 'GET',
    path: '/api/v1/auth/methods/',
    summary: 'List the available sign-in methods',
    auth: 'none',
    errors: 'text',
    response: z.object({
      password: z.boolean(),
      oidc: z
        .object({ name: z.string(), login_url: z.string() })
        .nullable()
        .meta({ description: "the company's OpenID Connect provider; `name` is its host" }),
      has_cookie: z.boolean().meta({
        description: 'true: the request brings a session cookie, which may have ended',
      }),
    }),
  },
  login: {
    method: 'POST',
    path: '/api/v1/auth/login/',
    summary: 'Sign in: sets the session cookie and returns a bearer token',
    auth: 'none',
    errors: 'text',
    errorStatuses: [401],
    body: z.strictObject({ email: z.string().max(320), password: z.string().max(1024) }),
    response: z.object({ token: z.string(), expires_at: timestamp, user }),
  },
  startOidcSignIn: {
    method: 'GET',
    path: '/api/v1/auth/oidc/login/',
    hasSideEffects: true,
    summary: "Redirect to the company's OpenID Connect provider for sign-in",
    auth: 'none',
    errors: 'text',
    addOn: 'sso',
    errorStatuses: [404, 502],
    query: z.object({ return_to: localPath.default('/') }),
    status: 303,
    response: z.string().meta({ description: "the provider's address" }),
  },
  finishOidcSignIn: {
    method: 'GET',
    path: '/api/v1/auth/oidc/callback/',
    hasSideEffects: true,
    summary: 'Callback of the OpenID Connect provider: sets the session cookie',
    auth: 'none',
    errors: 'text',
    addOn: 'sso',
    errorStatuses: [401, 404, 502],
    status: 303,
    response: z.string().meta({ description: 'a path of the console' }),
  },
  logout: {
    ...own,
    method: 'POST',
    path: '/api/v1/auth/logout/',
    summary: 'End this session',
    ...alwaysAllowed,
    status: 204,
    response: z.undefined(),
  },
  me: {
    ...own,
    method: 'GET',
    path: '/api/v1/auth/me/',
    summary: 'The signed-in user',
    allowsExpiredPassword: true,
    response: user,
  },
  changePassword: {
    ...own,
    method: 'POST',
    path: '/api/v1/auth/password/',
    summary: 'Change your own password; ends all your other sessions',
    allowsExpiredPassword: true,
    body: z.strictObject({ current_password: z.string().max(1024), new_password: password }),
    status: 204,
    response: z.undefined(),
  },
  listBrowserSessions: {
    ...own,
    method: 'GET',
    path: '/api/v1/auth/browser-sessions/',
    summary: 'List the sessions that this browser holds: the current one, and others to switch to',
    ...alwaysAllowed,
    response: z.object({ results: z.array(browserSession), count }),
  },
  addBrowserSession: {
    ...own,
    method: 'POST',
    path: '/api/v1/auth/browser-sessions/',
    summary: 'Sign in to another account and keep the current session in the browser',
    ...alwaysAllowed,
    body: z.strictObject({ email: z.string().max(320), password: z.string().max(1024) }),
    response: browserSession,
  },
  switchBrowserSession: {
    ...own,
    method: 'POST',
    path: '/api/v1/auth/browser-sessions/switch/',
    summary: 'Make another session of this browser the current one',
    ...alwaysAllowed,
    errorStatuses: [404],
    body: z.strictObject({ session_id: z.string().max(200) }),
    response: browserSession,
  },
  listSessions: {
    ...own,
    method: 'GET',
    path: '/api/v1/auth/sessions/',
    summary: 'List your own sessions, last used first',
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
