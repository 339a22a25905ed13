import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  [['a', 'b c'], '"a","b c"\r\n'],
  [['say "hi"', 'x,y', 'two\nlines'], '"say ""hi""","x,y","two\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@x', '\t=1', '\r=1'], `"'=1+1","'+1","'-1","'@x","'\t=1","'\r=1"\r\n`],
  [[''], '""\r\n'],
  [[-1.5, 0, '-1'], `-1.5,0,"'-1"\r\n`],
])('%j', (values, line) => expect(csvLine(values)).toBe(line));

test('no value starts like a formula or ends its own quotes', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const inner = csvLine([value]).slice(1, -3);
      expect(inner).not.toMatch(/^[=+\-@\t\r\n]/);
      expect(inner.replaceAll('""', '')).not.toContain('"');
    }),
  );
});
