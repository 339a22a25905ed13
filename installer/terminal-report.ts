import { printable } from '#profile-builder/printable.ts';
import type { Report } from './report.ts';

export interface Terminal {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

export interface TerminalReport extends Report {
  /** Ends the line that is being redrawn. */
  end: () => void;
}

/**
 * One line for each stage. On a terminal the current one is redrawn with how much of it is done, or
 * how long it takes; elsewhere nothing is ever redrawn.
 */
export function createTerminalReport(terminal: Terminal): TerminalReport {
  if (!terminal.isTTY)
    return { say: (line) => void terminal.write(`${printable(line)}\n`), advance() {}, end() {} };
  let current = '';
  let shown = '';
  const show = (text: string) => {
    if (text !== shown) terminal.write(`\r\u001B[K${text}`);
    shown = text;
  };
  const end = () => {
    if (current !== '') terminal.write('\n');
    current = '';
    shown = '';
  };
  const say = (text: string) => {
    const line = printable(text);
    if (stageOf(line) !== stageOf(current) || line === stageOf(line)) end();
    current = line;
    show(line);
  };
  const advance = (done: number, total: number) =>
    show(`${current} ${Math.min(100, Math.floor((done / Math.max(1, total)) * 100))} %`);
  return { say, advance, end };
}

/** A stage that is waited for says for how long: the next such line replaces the one before. */
const stageOf = (line: string): string => line.replace(/, \d+ s$/, '');
