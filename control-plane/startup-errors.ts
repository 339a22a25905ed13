import type { Config } from './config.ts';

interface StartupError {
  code?: string;
  port?: number;
  message: string;
}

type Explanation = (error: StartupError, config: Config) => string;

const dataDir: Explanation = ({ message }, config) =>
  `DATA_DIR ${config.dataDir} cannot be used: ${message}`;
const database: Explanation = ({ message }, config) =>
  `the database in DATA_DIR ${config.dataDir} cannot be opened: ${message}`;
const postgres: Explanation = ({ message, code }) =>
  `DATABASE_URL: PostgreSQL cannot be reached: ${message || code}`;

const explanations: Record<string, Explanation> = {
  EADDRINUSE: ({ port }, config) =>
    `port ${port} is taken: stop what listens there, or set ${
      port === config.devicePort ? 'DEVICE_PORT' : 'PORT'
    }`,
  EACCES: dataDir,
  EROFS: dataDir,
  ENOTDIR: dataDir,
  EEXIST: dataDir,
  SQLITE_CANTOPEN: database,
  SQLITE_NOTADB: database,
  SQLITE_CORRUPT: database,
  ECONNREFUSED: postgres,
  ENOTFOUND: postgres,
  '28P01': postgres,
  '3D000': postgres,
};

/** One line for what keeps the control plane from starting: what, where, and what to do. */
export function explain(error: unknown, config: Config): string {
  const known = error as StartupError;
  // AES-GCM tells a wrong key only by this message.
  if (known.message.includes('unable to authenticate data'))
    return 'SECRET_KEY is not the one that this database was made with';
  return explanations[known.code ?? '']?.(known, config) ?? known.message;
}
