import { type ErrorCode, statusOf } from './error-codes.ts';

/**
 * The machine-readable reasons for which the service refuses a request. Each reason has one code
 * and therefore one status (`error-codes.ts`). Several reasons share a code if clients react to
 * them in different ways. Names are stable: messages may be reworded, reasons may not. The text
 * states the cause and what a client can do; `docs/errors.md` is generated from it.
 *
 * A reason reveals no more than the message does: an unknown account and a wrong password have the
 * same reason, and so do a missing resource and that of another tenant.
 */
const reasons = {
  /* The request */
  malformed_request: [
    'bad_request',
    'The request is not valid HTTP, its URL cannot be decoded, or its body is not OTLP. Correct it; repeating it fails again.',
  ],
  headers_too_large: ['headers_too_large', 'The URL and headers are too long. Shorten them.'],
  request_timeout: ['request_timeout', 'The request did not arrive in time. Send it again.'],
  validation_error: [
    'validation_error',
    'A parameter or a field of the body is invalid. The message names each with what is expected.',
  ],
  wrong_password: [
    'validation_error',
    'The password that this request needs besides the session is wrong. Ask the user for it again.',
  ],
  not_found: [
    'not_found',
    'The route or resource does not exist, or belongs to another tenant. Check the id.',
  ],
  not_configured: [
    'not_found',
    'The operator of the service has not configured this function. The message names the setting.',
  ],
  method_not_allowed: [
    'method_not_allowed',
    'The path does not support this method. The header `Allow` lists those that it does.',
  ],
  payload_too_large: ['payload_too_large', 'The body is too large. Send less at once.'],
  unsupported_media_type: [
    'unsupported_media_type',
    'The media type or content encoding of the body is not supported. The message lists those that are.',
  ],

  /* The caller */
  missing_credentials: [
    'unauthorized',
    'The request has no credentials of a kind that this route accepts. Sign in, or send an API key or a device certificate.',
  ],
  invalid_credentials: [
    'unauthorized',
    'The email and password, API key or token are wrong, unknown, expired or revoked, or the certificate was issued by another authority; the response does not say which. Use others.',
  ],
  session_ended: [
    'unauthorized',
    'The session has expired, was ended, or its user was disabled. Sign in again.',
  ],
  certificate_expired: [
    'unauthorized',
    'The device certificate has expired. The device has to enroll again.',
  ],
  certificate_revoked: [
    'unauthorized',
    'The device certificate was revoked. The device has to enroll again, if this is still allowed.',
  ],
  sign_in_expired: [
    'unauthorized',
    "The sign-in with the company's provider took too long or began in another browser. Start it again.",
  ],
  sign_in_denied: [
    'unauthorized',
    'The sign-in provider denied the sign-in, or its response is invalid. Start again; if that fails too, ask an administrator.',
  ],
  missing_permission: [
    'forbidden',
    'The caller lacks the role or permission, or would grant more than it has. The message names what is missing.',
  ],
  add_on_required: [
    'forbidden',
    'The tenant has not activated an add-on that the route needs. `details.add_on_code` names it.',
  ],
  tenant_suspended: [
    'forbidden',
    'The tenant, or one above it, is suspended. Stop until an administrator has reactivated it.',
  ],
  account_disabled: [
    'forbidden',
    "The user's account is disabled. Only an administrator can enable it.",
  ],
  password_change_required: [
    'forbidden',
    'The password has expired or was reset. Change it with `POST /api/v1/auth/password/` first.',
  ],
  own_account: [
    'forbidden',
    'Users cannot do this to their own account. The message names the alternative.',
  ],
  sign_in_not_allowed: [
    'forbidden',
    "The sign-in provider's identity may not sign in here: its email, domain, tenant or link does not fit. Ask an administrator.",
  ],
  csrf_rejected: [
    'forbidden',
    'The request comes from a page of another origin (CSRF). Only the console may use the session cookie.',
  ],
  invalid_link: [
    'forbidden',
    'The link is invalid, was withdrawn or has expired. Request a new one.',
  ],
  device_revoked: [
    'forbidden',
    'The device was revoked and cannot enroll. An administrator can reinstate it.',
  ],
  identity_mismatch: [
    'forbidden',
    'A certificate request names another device than the caller. Request a certificate for the caller.',
  ],
  capture_disabled: [
    'forbidden',
    "Guard does not enable this on the device: capture of the host, or recording of coding agents. Load the device's configuration again.",
  ],
  quota_exceeded: [
    'quota_exceeded',
    'A quota given to a sub-tenant is above that of its parent, or below that of its own sub-tenants. `details` has `field`, `requested` and `parent_limit`.',
  ],

  /* The current state */
  already_exists: [
    'conflict',
    'Another resource has this name, id or email. Choose another, or change the existing resource.',
  ],
  email_unavailable: ['conflict', 'This email cannot be used. Choose another.'],
  version_conflict: [
    'conflict',
    'The resource was changed since it was read. Read it again and repeat the change.',
  ],
  already_done: [
    'conflict',
    'The resource already has the requested state. Nothing is left to do.',
  ],
  invalid_state: [
    'conflict',
    'The present state of the resource does not allow this. Read it again; the message has the state.',
  ],
  in_progress: ['conflict', 'The same work is still in progress. Wait until it has completed.'],
  count_limit_reached: [
    'conflict',
    'No more resources of this kind can be created. Delete one; the message has the limit.',
  ],
  depth_limit_reached: [
    'conflict',
    'Sub-tenants cannot be nested more deeply. Create it higher up.',
  ],
  last_owner: [
    'conflict',
    'The tenant would have no owner left. Make another user an owner first.',
  ],
  batch_id_reused: [
    'conflict',
    'The `batch_id` was already used for a different request. Use one id for each request.',
  ],
  not_restorable: [
    'conflict',
    'This earlier version cannot be restored as it is. The message has the reason; choose another version.',
  ],
  no_valid_root: [
    'conflict',
    'The tenant has no certificate authority that is still valid. Create and activate the next root.',
  ],
  setting_required: [
    'conflict',
    'The operator of the service has to change a setting first. The message names it.',
  ],

  /* Limits */
  rate_limited: ['rate_limited', 'Too many requests. Retry after the seconds of `Retry-After`.'],
  too_many_failures: [
    'rate_limited',
    'Too many attempts with wrong credentials. Correct them, and retry after the seconds of `Retry-After`.',
  ],
  concurrency_limited: [
    'rate_limited',
    'Too many requests or connections of this kind at the same time. Wait until one has ended.',
  ],
  quota_exhausted: [
    'rate_limited',
    "The tenant's quota of runs, tokens or agents is used up. Retry after the seconds of `Retry-After`; without it, only a higher quota helps.",
  ],

  /* The service and its dependencies */
  internal_error: [
    'internal_error',
    'The service failed. The message has the id of the request in its log.',
  ],
  database_unavailable: [
    'unavailable',
    'The database does not answer, is overloaded or fails. Retry with increasing delays.',
  ],
  storage_full: [
    'unavailable',
    'The disk of the database is full. Retry later; the operator has to free space.',
  ],
  storage_read_only: [
    'unavailable',
    'The database is read-only, so nothing can be stored. Retry later; the operator has to act.',
  ],
  transaction_conflict: [
    'unavailable',
    'A concurrent change interfered, and nothing was stored. Retry at once.',
  ],
  overloaded: [
    'unavailable',
    'Too many sign-ins are waiting. Retry after the seconds of `Retry-After`.',
  ],
  index_incomplete: [
    'unavailable',
    'The search index does not contain the latest records yet. Retry in a minute.',
  ],
  shutting_down: ['unavailable', 'The process is shutting down. Retry: another one answers.'],
  root_expired: [
    'unavailable',
    "The tenant's root has expired, so no device certificate can be issued. An administrator has to create and activate the next root.",
  ],
  sign_in_provider_failed: [
    'bad_gateway',
    'The sign-in provider did not answer as expected. Retry later.',
  ],
  model_provider_not_configured: [
    'bad_request',
    'No model provider is configured. The message names the setting for the operator.',
  ],
  model_provider_rejected: [
    'bad_request',
    'The model provider rejected the request. The message has its answer.',
  ],
  model_not_found: ['not_found', 'The model provider has no such model. Choose another.'],
  model_provider_rate_limited: [
    'rate_limited',
    "The model provider's rate limit is exceeded. Retry after the seconds of `Retry-After`, if given.",
  ],
  model_provider_failed: [
    'bad_gateway',
    'The model provider cannot be reached, failed, or rejected the configured API key. The message says which.',
  ],
  model_provider_timeout: ['gateway_timeout', 'The model provider did not answer in time. Retry.'],
} as const satisfies Record<string, readonly [code: ErrorCode, text: string]>;

export type ErrorReason = keyof typeof reasons;

export const errorReasons = Object.keys(reasons) as ErrorReason[];

export const codeOf = (reason: ErrorReason): ErrorCode => reasons[reason][0];

/** The cause, and what a client can do. */
export const describeReason = (reason: ErrorReason): string => reasons[reason][1];

export const reasonsWithStatus = (status: number): ErrorReason[] =>
  errorReasons.filter((reason) => statusOf[codeOf(reason)] === status);
