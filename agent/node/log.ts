import { oneLine } from '#lib/one-line.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = Record<LogLevel, (text: string) => void> & {
  /** Prevents this text from ever being logged. */
  addSecret(secret: string): void;
  /** Returns the text as it would be logged: one line, without secrets. */
  sanitize(text: string): string;
};

export interface LogOptions {
  level: LogLevel;
  write?: (line: string) => void;
  now?: () => number;
}

/** Writes lines for people to stderr: `2026-11-21T02:03:04Z error enroll: 401 unauthorized: …`. */
export function createLog({ level, write = writeToStderr, now = Date.now }: LogOptions): Log {
  const secrets = new Set<string>();
  const sanitize = (text: string): string => oneLine(text, [...secrets]);
  const logAt = (messageLevel: LogLevel) => (text: string) => {
    if (logLevels.indexOf(messageLevel) > logLevels.indexOf(level)) return;
    write(`${new Date(now()).toISOString().slice(0, 19)}Z ${messageLevel} ${sanitize(text)}\n`);
  };
  return {
    error: logAt('error'),
    warn: logAt('warn'),
    info: logAt('info'),
    debug: logAt('debug'),
    addSecret: (secret) => void secrets.add(secret),
    sanitize,
  };
}

const ignore = (): void => undefined;

/**
 * Writes to stderr. If its reader has gone, as after journald was stopped, the lines are lost: the
 * error that Node would throw for each must not end this process.
 */
function writeToStderr(line: string): void {
  if (!process.stderr.listeners('error').includes(ignore)) process.stderr.on('error', ignore);
  process.stderr.write(line);
}
