import { oneLine } from '../core/one-line.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = Record<LogLevel, (text: string) => void> & {
  /** From now on this text is never written. */
  hide(secret: string): void;
  /** The text as it would be written: one line, without secrets. */
  clean(text: string): string;
};

export interface LogOptions {
  level: LogLevel;
  write?: (line: string) => void;
  now?: () => number;
}

/** Lines for people, on stderr: `2026-11-21T02:03:04Z error enroll: 401 unauthorized: …`. */
export function createLog({ level, write = writeToStderr, now = Date.now }: LogOptions): Log {
  const secrets = new Set<string>();
  const clean = (text: string): string => oneLine(text, [...secrets]);
  const at = (own: LogLevel) => (text: string) => {
    if (logLevels.indexOf(own) > logLevels.indexOf(level)) return;
    write(`${new Date(now()).toISOString().slice(0, 19)}Z ${own} ${clean(text)}\n`);
  };
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    hide: (secret) => void secrets.add(secret),
    clean,
  };
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
