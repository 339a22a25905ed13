import { z } from 'zod';

const SECRET = { secret: true };

/** What each variable may be, said in the words that a refusal uses. */
const expecting = <T extends z.ZodType>(schema: T, description: string, more = {}): T =>
  schema.meta({ description, ...more });

const port = (usual: number) =>
  expecting(
    z.coerce.number().int().min(0).max(65535).default(usual),
    'a whole number from 0 to 65535',
  );
const text = (usual: string) => expecting(z.string().trim().min(1).default(usual), 'some text');
const llmProviders = ['openai', 'anthropic'] as const;
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

const synchronous = ['full', 'normal'] as const;

const environment = z.object({
  HOST: text('0.0.0.0'),
  PORT: port(8080),
  DEVICE_PORT: port(8443),
  PUBLIC_URL: expecting(
    z.url({ protocol: /^https?$/ }).optional(),
    'an address that begins with http:// or https://',
  ),
  DEVICE_URL: expecting(
    z.url({ protocol: /^https$/ }).optional(),
    'an address that begins with https://',
  ),
  DATA_DIR: text('./data'),
  DATABASE_URL: expecting(
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'an address that begins with postgres:// or postgresql://',
    SECRET,
  ),
  SQLITE_SYNCHRONOUS: expecting(
    z.enum(synchronous).default('full'),
    `one of ${synchronous.join(', ')}`,
  ),
  SECRET_KEY: expecting(z.string().min(32).optional(), 'at least 32 characters', SECRET),
  BOOTSTRAP_API_KEY: expecting(
    z
      .string()
      .regex(/^svc_sk_\w{20,}$/)
      .optional(),
    'svc_sk_ and at least 20 letters or digits',
    SECRET,
  ),
  BOOTSTRAP_ADMIN_EMAIL: expecting(z.email().optional(), 'an email address'),
  BOOTSTRAP_ADMIN_PASSWORD: expecting(
    z.string().min(12).optional(),
    'at least 12 characters',
    SECRET,
  ),
  APP_NAME: text('Gatehouse'),
  APP_BUNDLE_ID: expecting(
    z
      .string()
      .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/)
      .default('com.gatehouse.agent'),
    'a reverse domain name',
  ),
  APPLE_TEAM_ID: expecting(
    z
      .string()
      .regex(/^[A-Z0-9]{10}$/)
      .default('GATEHOUSE1'),
    'ten capital letters or digits',
  ),
  LLM_PROVIDER: expecting(
    z.enum(llmProviders).default('openai'),
    `one of ${llmProviders.join(', ')}`,
  ),
  LLM_BASE_URL: expecting(
    z.url({ protocol: /^https?$/ }).optional(),
    'an address that begins with http:// or https://',
  ),
  LLM_API_KEY: expecting(z.string().trim().min(1).optional(), 'some text', SECRET),
  // Node's fetch itself gives up on headers after 300 seconds.
  LLM_TIMEOUT_SECONDS: expecting(
    z.coerce.number().int().min(1).max(300).default(60),
    'a whole number from 1 to 300',
  ),
  PRICES_FILE: expecting(z.string().trim().min(1).optional(), 'the path of a JSON or YAML file'),
  LOG_LEVEL: expecting(z.enum(logLevels).default('info'), `one of ${logLevels.join(', ')}`),
});

export interface Config {
  host: string;
  port: number;
  devicePort: number;
  /** Unset: `http://localhost:<port>`, known once the listener has its port. */
  publicUrl: string | undefined;
  deviceUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** `full`: what was acknowledged survives a loss of power; `normal`: the death of the process. */
  synchronous: (typeof synchronous)[number];
  secretKey: string | undefined;
  bootstrap: { apiKey?: string; email?: string; password?: string };
  app: { name: string; bundleId: string; teamId: string };
  /** The models of the playground. */
  llm: {
    provider: (typeof llmProviders)[number];
    baseUrl: string | undefined;
    apiKey: string | undefined;
    timeoutSeconds: number;
  };
  /** Prices of models that hold for every tenant, beside those that ship with us. */
  pricesFile: string | undefined;
  logLevel: (typeof logLevels)[number];
}

/** The one place that reads the environment. An empty variable counts as unset. */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  defaults: NodeJS.ProcessEnv = {},
): Config | { error: string } {
  const set = {
    ...defaults,
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  };
  const parsed = environment.safeParse(set);
  if (!parsed.success) return { error: refusal(String(parsed.error.issues[0]?.path[0]), set) };
  const values = parsed.data;
  return {
    host: values.HOST,
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
    app: { name: values.APP_NAME, bundleId: values.APP_BUNDLE_ID, teamId: values.APPLE_TEAM_ID },
    llm: {
      provider: values.LLM_PROVIDER,
      baseUrl: values.LLM_BASE_URL,
      apiKey: values.LLM_API_KEY,
      timeoutSeconds: values.LLM_TIMEOUT_SECONDS,
    },
    pricesFile: values.PRICES_FILE,
    logLevel: values.LOG_LEVEL,
  };
}

/** Names the variable, what it may be and what it was, unless that is a secret. */
function refusal(name: string, given: NodeJS.ProcessEnv): string {
  const { description, secret } =
    environment.shape[name as keyof typeof environment.shape].meta() ?? {};
  const found = secret ? 'something else' : JSON.stringify(given[name]);
  return `${name}: expected ${description}, found ${found}`;
}
