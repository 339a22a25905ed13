import { printable } from '#profile-builder/terminal-output.ts';
import type { ProgressReporter } from './installer-error.ts';

export interface Terminal {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

export interface TerminalReporter extends ProgressReporter {
  /** Ends the line that is being redrawn. */
  end: () => void;
}

/**
 * Creates a report with one line per stage. On a terminal, the current line is redrawn with its
 * progress or duration; elsewhere, nothing is redrawn.
 */
export function createTerminalReporter(terminal: Terminal): TerminalReporter {
  if (!terminal.isTTY)
    return {
      log: (message) => void terminal.write(`${printable(message)}\n`),
      advance() {},
      end() {},
    };
  let current = '';
  let onScreen = '';
  const show = (text: string) => {
    if (text !== onScreen) terminal.write(`\r\u001B[K${text}`);
    onScreen = text;
  };
  const end = () => {
    if (current !== '') terminal.write('\n');
    current = '';
    onScreen = '';
  };
  const log = (text: string) => {
    const stage = printable(text);
    if (stageOf(stage) !== stageOf(current) || stage === stageOf(stage)) end();
    current = stage;
    show(stage);
  };
  const advance = (done: number, total: number) =>
    show(`${current} ${Math.min(100, Math.floor((done / Math.max(1, total)) * 100))} %`);
  return { log, advance, end };
}

/**
 * The stage that a message is about. The message of a waiting stage ends with its duration, and the
 * next such message replaces it.
 */
const stageOf = (message: string): string => message.replace(/, \d+ s$/, '');
