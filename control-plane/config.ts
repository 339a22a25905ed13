import { BlockList } from 'node:net';
import { z } from 'zod';
import { type Role, roles } from '#contract/route.ts';
import {
  SECRET,
  withDescription,
  wholeNumber,
  port,
  text,
  llmProviders,
  logLevels,
  synchronous,
  issuer,
  domains,
  networks,
  proxies,
  roleMap,
} from './setting-schemas.ts';

const environment = z.object({
  HOST: text('0.0.0.0'),
  PORT: port(8080),
  DEVICE_PORT: port(8443),
  OTLP_GRPC_PORT: withDescription(
    z.coerce.number().int().min(0).max(65_535).optional(),
    'a whole number from 0 to 65535',
  ),
  PUBLIC_URL: withDescription(
    z.url({ protocol: /^https?$/ }).optional(),
    'a URL that begins with http:// or https://',
  ),
  DEVICE_URL: withDescription(
    z.url({ protocol: /^https$/ }).optional(),
    'a URL that begins with https://',
  ),
  DATA_DIR: text('./data'),
  DATABASE_URL: withDescription(
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'a URL that begins with postgres:// or postgresql://',
    SECRET,
  ),
  SQLITE_SYNCHRONOUS: withDescription(
    z.enum(synchronous).default('full'),
    `one of ${synchronous.join(', ')}`,
  ),
  SECRET_KEY: withDescription(z.string().min(32).optional(), 'at least 32 characters', SECRET),
  BOOTSTRAP_API_KEY: withDescription(
    z
      .string()
      .regex(/^svc_sk_\w{20,}$/)
      .optional(),
    'svc_sk_ and at least 20 letters or digits',
    SECRET,
  ),
  BOOTSTRAP_ADMIN_EMAIL: withDescription(z.email().optional(), 'an email address'),
  BOOTSTRAP_ADMIN_PASSWORD: withDescription(
    z.string().min(12).optional(),
    'at least 12 characters',
    SECRET,
  ),
  APP_NAME: text('Gatehouse'),
  APP_BUNDLE_ID: withDescription(
    z
      .string()
      .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/)
      .default('com.gatehouse.agent'),
    'a reverse domain name',
  ),
  APPLE_TEAM_ID: withDescription(
    z
      .string()
      .regex(/^[A-Z0-9]{10}$/)
      .optional(),
    'ten capital letters or digits',
  ),
  LLM_PROVIDER: withDescription(
    z.enum(llmProviders).default('openai'),
    `one of ${llmProviders.join(', ')}`,
  ),
  LLM_BASE_URL: withDescription(
    z.url({ protocol: /^https?$/ }).optional(),
    'a URL that begins with http:// or https://',
  ),
  LLM_API_KEY: withDescription(z.string().trim().min(1).optional(), 'text', SECRET),
  // Node's fetch gives up on response headers after 300 seconds.
  LLM_TIMEOUT_SECONDS: wholeNumber(1, 300, 60),
  PRICES_FILE: withDescription(
    z.string().trim().min(1).optional(),
    'the path of a JSON or YAML file',
  ),
  INSTALLER_PACKAGE: withDescription(
    z.string().trim().min(1).optional(),
    'the path of a finished installer package',
  ),
  INSTALLER_TRUSTED_ROOTS: withDescription(
    z.string().trim().min(1).optional(),
    "the path of a PEM file with the trusted roots of the package's signature",
  ),
  INSTALLER_APP: withDescription(
    z.string().trim().min(1).optional(),
    'the path of an app bundle, without INSTALLER_PACKAGE',
  ),
  INSTALLER_IDENTITY: withDescription(
    z.string().trim().min(1).optional(),
    'the path of a PKCS#12 file with a Developer ID Installer identity',
  ),
  INSTALLER_IDENTITY_PASSWORD: withDescription(
    z.string().min(1).optional(),
    'the password of INSTALLER_IDENTITY',
    SECRET,
  ),
  INSTALLER_TIMESTAMP_URL: withDescription(
    z.union([z.url({ protocol: /^https?$/ }), z.literal('none')]).optional(),
    'a URL that begins with http:// or https://, or none',
  ),
  OIDC_ISSUER: withDescription(
    issuer.optional(),
    'a URL that begins with https://, or http:// on this machine',
  ),
  OIDC_CLIENT_ID: withDescription(
    z.string().trim().min(1).optional(),
    'the client id registered with the provider of OIDC_ISSUER',
  ),
  OIDC_CLIENT_SECRET: withDescription(
    z.string().trim().min(1).optional(),
    'the client secret for OIDC_CLIENT_ID',
    SECRET,
  ),
  OIDC_ALLOWED_DOMAINS: withDescription(
    domains.optional(),
    'comma-separated domains of email addresses, such as example.com,example.org',
  ),
  OIDC_ROLE_CLAIM: withDescription(z.string().trim().min(1).optional(), 'the name of a claim'),
  OIDC_ROLE_MAP: withDescription(
    roleMap.optional(),
    `JSON such as {"platform-team": "admin"}, with the roles ${roles.join(', ')}`,
  ),
  OIDC_DEFAULT_ROLE: withDescription(z.enum(roles).default('viewer'), `one of ${roles.join(', ')}`),
  SMTP_URL: withDescription(
    z.url({ protocol: /^smtps?$/ }).optional(),
    'a URL such as smtps://user:password@mail.example.com:465, or smtp:// with STARTTLS',
    SECRET,
  ),
  SMTP_FROM: withDescription(
    z.string().trim().min(3).max(320).includes('@').optional(),
    'an email address, such as Gatehouse <gatehouse@example.com>',
  ),
  NOTIFY_PRIVATE_NETWORKS: withDescription(
    networks.optional(),
    'comma-separated private addresses or networks that notifications may be sent to, such as 10.0.0.0/8',
  ),
  TRUSTED_PROXIES: proxies(),
  CLIENT_CERT_PROXIES: proxies(),
  KEEP_ALIVE_SECONDS: wholeNumber(1, 7200, 620),
  MAX_CONNECTIONS: wholeNumber(10, 1_000_000, 10_000),
  DRAIN_SECONDS: wholeNumber(0, 3600, 8),
  METRICS_TOKEN: withDescription(z.string().min(16).optional(), 'at least 16 characters', SECRET),
  LOG_LEVEL: withDescription(z.enum(logLevels).default('info'), `one of ${logLevels.join(', ')}`),
});

/** Checks settings that are required together. */
const checked = environment.superRefine((values, context) => {
  const needed = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  if (values.OIDC_ISSUER)
    for (const name of needed)
      if (!values[name]) context.addIssue({ code: 'custom', path: [name], message: 'missing' });
  const wrong = invalidInstallerSetting(values);
  if (Boolean(values.SMTP_URL) !== Boolean(values.SMTP_FROM))
    context.addIssue({
      code: 'custom',
      path: [values.SMTP_URL ? 'SMTP_FROM' : 'SMTP_URL'],
      message: 'missing',
    });
  if (wrong)
    context.addIssue({
      code: 'custom',
      path: [wrong],
      message: 'inconsistent with other settings',
    });
});

function invalidInstallerSetting(values: z.output<typeof environment>): string | undefined {
  const { INSTALLER_APP: app, INSTALLER_IDENTITY: identity } = values;
  if (app && values.INSTALLER_PACKAGE) return 'INSTALLER_APP';
  if (identity && !app) return 'INSTALLER_APP';
  if (identity && !values.INSTALLER_IDENTITY_PASSWORD) return 'INSTALLER_IDENTITY_PASSWORD';
  return undefined;
}

export interface Config {
  host: string;
  port: number;
  devicePort: number;
  /** The port for OTLP over gRPC; undefined for HTTP only. */
  otlpGrpcPort: number | undefined;
  /** If unset, `http://localhost:<port>`, which is set once the listener has its port. */
  publicUrl: string | undefined;
  deviceUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /**
   * With `full`, acknowledged writes survive a power failure; with `normal`, only a crash of the
   * process.
   */
  synchronous: (typeof synchronous)[number];
  secretKey: string | undefined;
  bootstrap: { apiKey?: string; email?: string; password?: string };
  /** `teamId` is the Apple team that signs the app. If it is null, no profile is available. */
  app: { name: string; bundleId: string; teamId: string | null };
  /** The models of the playground. */
  llm: {
    provider: (typeof llmProviders)[number];
    baseUrl: string | undefined;
    apiKey: string | undefined;
    timeoutSeconds: number;
  };
  /** The file with model prices for all tenants, in addition to the built-in prices. */
  pricesFile: string | undefined;
  /** The source of the installer package; undefined if it is distributed by other means. */
  installer: InstallerSettings | undefined;
  /** The company's own OpenID Connect provider; undefined if users sign in with passwords. */
  oidc: OidcSettings | undefined;
  /** The mail server for notifications; undefined if they are not sent by email. */
  smtp: SmtpSettings | undefined;
  /** Networks outside of the internet to which notifications may be sent. */
  notifyPrivateNetworks: BlockList;
  /** Proxies whose `X-Forwarded-For` header is trusted. */
  trustedProxies: BlockList;
  /** Proxies that terminate the TLS of devices and whose `Client-Cert` header is trusted. */
  clientCertProxies: BlockList;
  /** The limits of each of the two listeners. */
  connections: ConnectionSettings;
  /** The bearer token required for `/metrics`; undefined if metrics are off. */
  metricsToken: string | undefined;
  logLevel: (typeof logLevels)[number];
}

export interface ConnectionSettings {
  /**
   * The timeout of idle connections, which is longer than those of load balancers and exporters.
   */
  keepAliveSeconds: number;
  max: number;
  /** The time that requests in progress have to finish on shutdown. */
  drainSeconds: number;
}

export type InstallerSettings =
  | {
      package: string;
      /** The trusted roots of its signature; undefined for Apple's. */
      trust: string | undefined;
    }
  | {
      app: string;
      /** Undefined if the package is not signed. */
      identity: { file: string; password: string } | undefined;
      /** Undefined for Apple's service. */
      timestampUrl: string | undefined;
    };

export interface SmtpSettings {
  url: string;
  from: string;
}

export interface OidcSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Undefined if all domains that the provider verifies are allowed. */
  allowedDomains: readonly string[] | undefined;
  /** The claim whose values `roleMap` maps to roles. */
  roleClaim: string | undefined;
  roleMap: Readonly<Record<string, Role>>;
  defaultRole: Role;
}

/** Earlier names of settings, which are still read. */
const earlierNames: Readonly<Record<string, string>> = {
  DEVICE_PROXIES: 'CLIENT_CERT_PROXIES',
  INSTALLER_TRUST: 'INSTALLER_TRUSTED_ROOTS',
};

/** Renames settings with earlier names. The current name takes precedence if both are set. */
function withCurrentNames(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const renamed = Object.entries(earlierNames).flatMap(([earlier, name]) =>
    env[earlier] === undefined ? [] : [[name, env[earlier]] as const],
  );
  return { ...Object.fromEntries(renamed), ...env };
}

const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/**
 * Reads the configuration. This is the only code that reads the environment. An empty variable
 * counts as unset.
 */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  defaults: NodeJS.ProcessEnv = {},
): Config | { error: string } {
  const set = { ...defaults, ...withCurrentNames(withoutEmpty(env)) };
  const parsed = checked.safeParse(set);
  if (!parsed.success) return { error: refusal(String(parsed.error.issues[0]?.path[0]), set) };
  const values = parsed.data;
  return {
    host: values.HOST,
    otlpGrpcPort: values.OTLP_GRPC_PORT,
    port: values.PORT,
    devicePort: values.DEVICE_PORT,
    publicUrl: values.PUBLIC_URL,
    deviceUrl: values.DEVICE_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    synchronous: values.SQLITE_SYNCHRONOUS,
    secretKey: values.SECRET_KEY,
    bootstrap: {
      ...(values.BOOTSTRAP_API_KEY && { apiKey: values.BOOTSTRAP_API_KEY }),
      ...(values.BOOTSTRAP_ADMIN_EMAIL && { email: values.BOOTSTRAP_ADMIN_EMAIL }),
      ...(values.BOOTSTRAP_ADMIN_PASSWORD && { password: values.BOOTSTRAP_ADMIN_PASSWORD }),
    },
    app: {
      name: values.APP_NAME,
      bundleId: values.APP_BUNDLE_ID,
      teamId: values.APPLE_TEAM_ID ?? null,
    },
    llm: {
      provider: values.LLM_PROVIDER,
      baseUrl: values.LLM_BASE_URL,
      apiKey: values.LLM_API_KEY,
      timeoutSeconds: values.LLM_TIMEOUT_SECONDS,
    },
    pricesFile: values.PRICES_FILE,
    installer: installerOf(values),
    oidc: oidcOf(values),
    smtp:
      values.SMTP_URL && values.SMTP_FROM
        ? { url: values.SMTP_URL, from: values.SMTP_FROM }
        : undefined,
    notifyPrivateNetworks: values.NOTIFY_PRIVATE_NETWORKS ?? new BlockList(),
    trustedProxies: values.TRUSTED_PROXIES ?? new BlockList(),
    clientCertProxies: values.CLIENT_CERT_PROXIES ?? new BlockList(),
    connections: {
      keepAliveSeconds: values.KEEP_ALIVE_SECONDS,
      max: values.MAX_CONNECTIONS,
      drainSeconds: values.DRAIN_SECONDS,
    },
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  };
}

function installerOf(values: z.output<typeof environment>): InstallerSettings | undefined {
  const { INSTALLER_PACKAGE: finished, INSTALLER_APP: app, INSTALLER_IDENTITY: file } = values;
  if (finished) return { package: finished, trust: values.INSTALLER_TRUSTED_ROOTS };
  if (!app) return undefined;
  const password = values.INSTALLER_IDENTITY_PASSWORD;
  return {
    app,
    identity: file && password ? { file, password } : undefined,
    timestampUrl: values.INSTALLER_TIMESTAMP_URL,
  };
}

function oidcOf(values: z.output<typeof environment>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuerUrl, OIDC_CLIENT_ID: clientId } = values;
  if (!issuerUrl || !clientId || !values.OIDC_CLIENT_SECRET) return undefined;
  return {
    issuer: issuerUrl,
    clientId,
    clientSecret: values.OIDC_CLIENT_SECRET,
    allowedDomains: values.OIDC_ALLOWED_DOMAINS,
    roleClaim: values.OIDC_ROLE_CLAIM,
    roleMap: values.OIDC_ROLE_MAP ?? {},
    defaultRole: values.OIDC_DEFAULT_ROLE,
  };
}

/**
 * Returns an error with the variable, the expected value, and the actual value unless it is a
 * secret.
 */
function refusal(name: string, env: NodeJS.ProcessEnv): string {
  const { description, secret } =
    environment.shape[name as keyof typeof environment.shape].meta() ?? {};
  const value = env[name];
  if (value === undefined) return `${name}: expected ${description}, found nothing`;
  const actual = secret ? 'something else' : JSON.stringify(value);
  return `${name}: expected ${description}, found ${actual}`;
}
