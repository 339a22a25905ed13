import type { Config } from '../config.ts';

export type Setting = 'HOST' | 'PORT' | 'DEVICE_PORT' | 'DATA_DIR' | 'DATABASE_URL' | 'SECRET_KEY';

/** The control plane cannot work with what these settings say. */
export class SettingError extends Error {
  readonly settings: readonly Setting[];

  constructor(settings: readonly Setting[], problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'SettingError';
    this.settings = settings;
  }
}

/** Does `step`, which depends on these settings. @throws SettingError saying what failed */
export async function withSettings<T>(
  settings: readonly Setting[],
  what: string,
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError(settings, `${what} failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** One line for what keeps the control plane from starting: which settings, their values, why. */
export function formatStartupError(error: unknown, config: Config): string {
  const reason = reasonOf(error);
  if (!(error instanceof SettingError)) return reason;
  const shown = showable(config);
  const named = error.settings.map((name) => (name in shown ? `${name}=${shown[name]}` : name));
  return `${named.join(', ')}: ${reason}`;
}

/** The others hold secrets: they are named, never shown. */
const showable = (config: Config): Partial<Record<Setting, string | number>> => ({
  HOST: config.host,
  PORT: config.port,
  DEVICE_PORT: config.devicePort,
  DATA_DIR: config.dataDir,
});

function reasonOf(error: unknown): string {
  // A name with several addresses fails once for each, under an error without a message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message, code } = first as NodeJS.ErrnoException;
  return (message || code || String(first)).replace(/\s+/g, ' ');
}
