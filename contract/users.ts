import { z } from 'zod';
import { count, flag, timestamp } from './fields.ts';
import { roles, routes } from './route.ts';
import { password, sessionList } from './sign-in.ts';

/** A user as administrators see them. */
export const managedUser = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  disabled: flag,
  must_change_password: flag,
  has_password: flag.meta({
    description: "false: signs in only with the company's provider",
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

const shownOnce = z
  .string()
  .nullable()
  .meta({ description: 'a password made here, shown only now; null when one was given' });

const identitySettings = z.object({
  password_max_age_days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .meta({ description: 'an older password must be changed first; null: never' }),
});

const admin = { auth: 'admin', errors: 'text' } as const;
const ofUser = { params: z.object({ id: z.string() }) };

export const userRoutes = routes({
  listUsers: {
    ...admin,
    method: 'GET',
    path: '/api/v1/auth/users/',
    summary: 'The users of the tenant, by email',
    response: z.object({ results: z.array(managedUser), count }),
  },
  createUser: {
    ...admin,
    method: 'POST',
    path: '/api/v1/auth/users/',
    summary: 'Create a user, with a password that is given, or made here and shown once',
    status: 201,
    body: z.strictObject({
      email,
      role: z.enum(roles),
      password: password.optional(),
      must_change_password: z
        .boolean()
        .default(true)
        .meta({ description: 'at the first sign-in with a password' }),
    }),
    response: managedUser.extend({ initial_password: shownOnce }),
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
    summary: 'Give a user a new password that must be changed; ends their sessions',
    response: z.object({ initial_password: z.string() }),
  },
  listUserSessions: {
    ...admin,
    ...ofUser,
    method: 'GET',
    path: '/api/v1/auth/users/{id}/sessions/',
    summary: "A user's sessions, the last used first",
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
  getIdentitySettings: {
    ...admin,
    method: 'GET',
    path: '/api/v1/auth/settings/',
    summary: 'How long passwords may be used',
    response: identitySettings,
  },
  putIdentitySettings: {
    ...admin,
    method: 'PUT',
    path: '/api/v1/auth/settings/',
    summary: 'Say how long passwords may be used',
    body: z.strictObject(identitySettings.shape),
    response: identitySettings,
  },
});
