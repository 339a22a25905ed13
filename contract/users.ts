import { z } from 'zod';
import { count, flag, timestamp } from './fields.ts';
import { roles, routes } from './route.ts';
import { password, sessionList } from './sign-in.ts';

/** A user, as seen by administrators. */
export const managedUser = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  disabled: flag,
  must_change_password: flag,
  has_password: flag.meta({
    description: "false: can sign in only with the company's OpenID Connect provider",
  }),
  created_at: timestamp,
  password_changed_at: timestamp.nullable(),
  last_sign_in_at: timestamp.nullable(),
});
export type ManagedUser = z.output<typeof managedUser>;

const email = z
  .string()
  .max(320)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email('expected an email address'));

const generatedPassword = z
  .string()
  .nullable()
  .meta({ description: 'generated password, only returned here; null if one was given' });

const identitySettings = z.object({
  password_max_age_days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .meta({ description: 'older passwords must be changed at sign-in; null: no limit' }),
});

/**
 * The ways in which users of this tenant sign in. The installation's environment sets the provider.
 */
const signInSettings = z.object({
  password: z.object({ min_length: count, max_length: count }),
  failures: z
    .object({ of_account: count, of_network: count, window_seconds: count })
    .meta({ description: 'failed attempts after which a network has to wait' }),
  session_seconds: count.meta({ description: 'how long a session lasts' }),
  oidc: z.object({
    status: z.enum(['active', 'add_on_required', 'not_configured', 'other_tenant']).meta({
      description: 'other_tenant: the provider of an installation serves its first tenant only',
    }),
    provider: z
      .object({
        issuer: z.string(),
        client_id: z.string(),
        redirect_uri: z.string(),
        allowed_domains: z.array(z.string()).nullable().meta({ description: 'null: every domain' }),
        role_claim: z.string().nullable(),
        role_map: z.record(z.string(), z.enum(roles)),
        default_role: z.enum(roles),
        problem: z
          .string()
          .nullable()
          .meta({ description: 'why the provider cannot be reached at the moment' }),
      })
      .nullable()
      .meta({ description: 'null unless active' }),
  }),
});

const admin = { auth: 'admin', errors: 'text' } as const;
const ofUser = { params: z.object({ id: z.string() }) };

export const userRoutes = routes({
  listUsers: {
    ...admin,
    method: 'GET',
    path: '/api/v1/auth/users/',
    summary: 'List the users of the tenant by email',
    response: z.object({ results: z.array(managedUser), count }),
  },
  createUser: {
    ...admin,
    method: 'POST',
    path: '/api/v1/auth/users/',
    summary: 'Create a user with a given password, or a generated one that is only returned here',
    status: 201,
    body: z.strictObject({
      email,
      role: z.enum(roles),
      password: password.optional(),
      must_change_password: z
        .boolean()
        .default(true)
        .meta({ description: 'required at the first sign-in with a password' }),
    }),
    response: managedUser.extend({ initial_password: generatedPassword }),
  },
  getUser: {
    ...admin,
    ...ofUser,
    method: 'GET',
    path: '/api/v1/auth/users/{id}/',
    summary: 'One user',
    response: managedUser,
  },
  updateUser: {
    ...admin,
    ...ofUser,
    method: 'PATCH',
    path: '/api/v1/auth/users/{id}/',
    summary: "Change a user's role, or disable or enable them; disabling ends their sessions",
    body: z.strictObject({ role: z.enum(roles).optional(), disabled: flag.optional() }),
    response: managedUser,
  },
  deleteUser: {
    ...admin,
    ...ofUser,
    method: 'DELETE',
    path: '/api/v1/auth/users/{id}/',
    summary: 'Delete a user and their sessions',
    status: 204,
    response: z.undefined(),
  },
  resetPassword: {
    ...admin,
    ...ofUser,
    method: 'POST',
    path: '/api/v1/auth/users/{id}/reset-password/',
    summary:
      'Reset the password to a generated one that must be changed; ends all sessions of the user',
    response: z.object({ initial_password: z.string() }),
  },
  listUserSessions: {
    ...admin,
    ...ofUser,
    method: 'GET',
    path: '/api/v1/auth/users/{id}/sessions/',
    summary: "List a user's sessions, last used first",
    response: sessionList,
  },
  endUserSessions: {
    ...admin,
    ...ofUser,
    method: 'DELETE',
    path: '/api/v1/auth/users/{id}/sessions/',
    summary: "End all of a user's sessions",
    response: z.object({ ended: count }),
  },
  endUserSession: {
    ...admin,
    method: 'DELETE',
    path: '/api/v1/auth/users/{id}/sessions/{session_id}/',
    summary: "End one of a user's sessions",
    params: z.object({ id: z.string(), session_id: z.string() }),
    status: 204,
    response: z.undefined(),
  },
  getSignInSettings: {
    ...admin,
    method: 'GET',
    path: '/api/v1/auth/sign-in-settings/',
    summary: 'How users sign in: password rules, sessions, and the OpenID Connect provider',
    response: signInSettings,
  },
  getIdentitySettings: {
    ...admin,
    method: 'GET',
    path: '/api/v1/auth/settings/',
    summary: 'The identity settings: maximum password age',
    response: identitySettings,
  },
  putIdentitySettings: {
    ...admin,
    method: 'PUT',
    path: '/api/v1/auth/settings/',
    summary: 'Replace the identity settings',
    body: z.strictObject(identitySettings.shape),
    response: identitySettings,
  },
});
