import { describe, expect, test } from 'vitest';
import { createTerminalReporter } from './terminal-reporter.ts';

function reported(isTTY: boolean): string {
  let text = '';
  const report = createTerminalReporter({ isTTY, write: (more) => (text += more) });
  report.log('packing');
  for (const done of [0, 50, 50, 120]) report.advance(done, 100);
  report.log('signing');
  report.log('waiting, 0 s');
  report.log('waiting, 5 s');
  report.end();
  report.end();
  return text;
}

describe('the progress of a build', () => {
  test('is one line per stage if the output is not a terminal', () => {
    expect(reported(false)).toBe('packing\nsigning\nwaiting, 0 s\nwaiting, 5 s\n');
  });

  test('escapes terminal control characters', () => {
    for (const isTTY of [true, false]) {
      let text = '';
      createTerminalReporter({ isTTY, write: (more) => (text += more) }).log('a\n\u001B]0;x\u0007');
      expect(text).toContain('a\\u{a}\\u{1b}]0;x\\u{7}');
      expect(text).not.toContain('\u001B]');
    }
  });

  test('redraws a line on a terminal, only if it changes', () => {
    const states = ['packing', 'packing 0 %', 'packing 50 %', 'packing 100 %'];
    const redrawn = (line: string) => `\r\u001B[K${line}`;
    const waiting = ['waiting, 0 s', 'waiting, 5 s'];
    const stages = [states, ['signing'], waiting].map(
      (lines) => `${lines.map(redrawn).join('')}\n`,
    );
    expect(reported(true)).toBe(stages.join(''));
  });
});
