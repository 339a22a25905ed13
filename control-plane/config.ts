import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const text = z.string().trim().min(1);

const environment = z.object({
  HOST: text.default('0.0.0.0'),
  PORT: port.default(8080),
  DEVICE_PORT: port.default(8443),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DEVICE_URL: z.url({ protocol: /^https$/ }).optional(),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  SECRET_KEY: z.string().min(32).optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^svc_sk_\w{20,}$/, 'expected svc_sk_ and at least 20 letters or digits')
    .optional(),
  BOOTSTRAP_ADMIN_EMAIL: z.email().optional(),
  BOOTSTRAP_ADMIN_PASSWORD: z.string().min(12).optional(),
  APP_NAME: text.default('Gatehouse'),
  APP_BUNDLE_ID: z
    .string()
    .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'expected a reverse domain name')
    .default('com.gatehouse.agent'),
  APPLE_TEAM_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'expected ten capital letters or digits')
    .default('GATEHOUSE1'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
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
  secretKey: string | undefined;
  bootstrap: { apiKey?: string; email?: string; password?: string };
  app: { name: string; bundleId: string; teamId: string };
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
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
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { error: `${issue?.path.join('.')}: ${issue?.message}` };
  }
  const values = parsed.data;
  return {
    host: values.HOST,
    port: values.PORT,
    devicePort: values.DEVICE_PORT,
    publicUrl: values.PUBLIC_URL,
    deviceUrl: values.DEVICE_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    secretKey: values.SECRET_KEY,
    bootstrap: {
      ...(values.BOOTSTRAP_API_KEY && { apiKey: values.BOOTSTRAP_API_KEY }),
      ...(values.BOOTSTRAP_ADMIN_EMAIL && { email: values.BOOTSTRAP_ADMIN_EMAIL }),
      ...(values.BOOTSTRAP_ADMIN_PASSWORD && { password: values.BOOTSTRAP_ADMIN_PASSWORD }),
    },
    app: { name: values.APP_NAME, bundleId: values.APP_BUNDLE_ID, teamId: values.APPLE_TEAM_ID },
    logLevel: values.LOG_LEVEL,
  };
}
