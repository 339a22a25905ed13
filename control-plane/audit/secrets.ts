const SECRET_NAMES =
  /^(password|password_hash|secret|token|key|hash|api_key|private_key|client_secret|authorization)$/i;

/** The value with `##SECRET##` for the members that hold secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAMES.test(name) && typeof inner === 'string' ? '##SECRET##' : withoutSecrets(inner),
    ]),
  );
}
