import type { Config } from '../config.ts';

export type Setting =
  | 'HOST'
  | 'PORT'
  | 'DEVICE_PORT'
  | 'OTLP_GRPC_PORT'
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'SECRET_KEY';

/** The control plane cannot work with the values of these settings. */
export class SettingError extends Error {
  readonly settings: readonly Setting[];

  constructor(settings: readonly Setting[], problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'SettingError';
    this.settings = settings;
  }
}

/**
 * Runs `step`, which depends on these settings.
 *
 * @throws SettingError naming the failed step
 */
export async function withSettings<T>(
  settings: readonly Setting[],
  description: string,
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(settings, `${description} failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** Formats a startup error as one line with the settings, their values, and the reason. */
export function formatStartupError(error: unknown, config: Config): string {
  const reason = reasonOf(error);
  if (!(error instanceof SettingError)) return reason;
  const values = showable(config);
  const named = error.settings.map((name) => (name in values ? `${name}=${values[name]}` : name));
  return `${named.join(', ')}: ${reason}`;
}

/**
 * Returns the settings whose values may be shown. All others hold secrets, and are named without
 * their values.
 */
const showable = (config: Config): Partial<Record<Setting, string | number | undefined>> => ({
  HOST: config.host,
  PORT: config.port,
  DEVICE_PORT: config.devicePort,
  OTLP_GRPC_PORT: config.otlpGrpcPort,
  DATA_DIR: config.dataDir,
});

function reasonOf(error: unknown): string {
  // A host name with several addresses fails once per address, and the error around these has no
  // message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message, code } = first as NodeJS.ErrnoException;
  return (message || code || String(first)).replace(/\s+/g, ' ');
}
