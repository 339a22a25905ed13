import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

export interface IdentityTables {
  users: UserTable;
  sessions: SessionTable;
  sign_in_failures: SignInFailureTable;
  listed_failures: ListedFailureTable;
  identity_settings: IdentitySettingsTable;
}

interface UserTable extends OfTenant {
  id: string;
  /** In lower case; nobody else, in no tenant, has the same. */
  email: string;
  /** Empty for those who have none: they sign in with the company's provider. */
  password_hash: string;
  role: 'viewer' | 'analyst' | 'admin' | 'owner';
  created_at: number;
  disabled: Generated<number>;
  must_change_password: Generated<number>;
  /** Null: not since the user was created. */
  password_changed_at: number | null;
  last_sign_in_at: number | null;
  /** Who the user is for the company's provider, from the first sign-in there. */
  oidc_issuer: string | null;
  oidc_subject: string | null;
}

interface SessionTable extends OfTenant {
  id: string;
  user_id: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** How it was signed in for. */
  method: Generated<'password' | 'oidc'>;
  /** Where it was signed in from. */
  address: Generated<string>;
  user_agent: Generated<string>;
  last_seen_at: number | null;
}

interface SignInFailureTable {
  id: Generated<number>;
  email: string;
  /** The network that it came from. */
  address: string;
  at: number;
}

/** How many failed sign-ins of somebody the audit log has been told of within a stretch of time. */
interface ListedFailureTable extends OfTenant {
  /** A user's id; empty for all who are not known. */
  subject: string;
  since: number;
  count: number;
}

interface IdentitySettingsTable extends OfTenant {
  password_max_age_days: number | null;
  updated_at: number;
  updated_by: string;
}
