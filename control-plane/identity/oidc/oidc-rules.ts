import { type Role, roles } from '#contract/route.ts';

type Claims = Readonly<Record<string, unknown>>;

interface Mapping {
  roleClaim: string | undefined;
  roleMap: Readonly<Record<string, Role>>;
}

/**
 * Returns the strongest role to which the provider's claims are mapped; undefined if there is none.
 */
export function mappedRole(claims: Claims, { roleClaim, roleMap }: Mapping): Role | undefined {
  if (roleClaim === undefined) return undefined;
  const values = [claimOf(claims, roleClaim)].flat().map(String);
  const mapped = values.filter((value) => Object.hasOwn(roleMap, value));
  return roles.findLast((role) => mapped.some((value) => roleMap[value] === role));
}

/** Reads a claim by name. Dots address members of nested objects. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null ? (value as Claims)[part] : undefined,
      claims,
    );
}

/** Returns the verified email in lower case; null if there is none. */
export function verifiedEmail({ email, email_verified: verified }: Claims): string | null {
  // Some providers send the boolean as text.
  if (typeof email !== 'string' || (verified !== true && verified !== 'true')) return null;
  return /^[^\s@]+@[^\s@]+$/.test(email) ? email.toLowerCase() : null;
}

/**
 * Whether the domain of an email is allowed. It must match exactly: subdomains and domains with the
 * same suffix do not.
 */
export const isAllowed = (email: string, domains: readonly string[] | undefined): boolean =>
  domains === undefined || domains.includes(email.slice(email.lastIndexOf('@') + 1));
