import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

export interface IdentityTables {
  api_keys: ApiKeyTable;
  users: UserTable;
  sessions: SessionTable;
  sign_in_failures: SignInFailureTable;
  listed_failures: ListedFailureTable;
  identity_settings: IdentitySettingsTable;
}

interface UserTable extends OfTenant {
  id: string;
  /** In lower case; unique across all tenants. */
  email: string;
  /** Empty for users without a password, who sign in with the company's provider. */
  password_hash: string;
  role: 'viewer' | 'analyst' | 'admin' | 'owner';
  created_at: number;
  disabled: Generated<number>;
  must_change_password: Generated<number>;
  /** Null if it has not changed since the user was created. */
  password_changed_at: number | null;
  last_sign_in_at: number | null;
  /** The user's identity at the company's provider, since the first sign-in there. */
  oidc_issuer: string | null;
  oidc_subject: string | null;
}

interface SessionTable extends OfTenant {
  id: string;
  user_id: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** How the user signed in. */
  method: Generated<'password' | 'oidc'>;
  /** The network address of the sign-in. */
  address: Generated<string>;
  user_agent: Generated<string>;
  last_seen_at: number | null;
}

interface SignInFailureTable {
  id: Generated<number>;
  email: string;
  /** The network of the attempt. */
  address: string;
  at: number;
}

/**
 * The number of failed sign-ins of a subject that were written to the audit log within a period.
 */
interface ListedFailureTable extends OfTenant {
  /** A user's id; empty for all unknown users. */
  subject: string;
  since: number;
  count: number;
}

interface IdentitySettingsTable extends OfTenant {
  password_max_age_days: number | null;
  updated_at: number;
  updated_by: string;
}

interface ApiKeyTable extends OfTenant {
  id: string;
  name: string;
  hash: string;
  /** The beginning and the end of the key; null for keys from before these were stored. */
  prefix: string | null;
  last_four: string | null;
  /** The email of a user, or the id of another key; null for keys that came with the tenant. */
  created_by: string | null;
  permissions: string;
  /** The hosts of the profile that this key was created with; null for other keys. */
  profile_hosts: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  /** The key that it was rotated to. */
  replaced_by: string | null;
}
