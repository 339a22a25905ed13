import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replay } from './testing/conversation.ts';
import { record } from './testing/recorder.ts';

test('random traffic is harmless', () => {
  const chunk = fc.record({
    from: fc.constantFrom('client', 'server'),
    bytes: fc.uint8Array({ maxLength: 400 }),
  });
  const preface = {
    from: 'client' as const,
    bytes: Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0'),
  };
  fc.assert(
    fc.property(fc.constantFrom('h2', 'http/1.1'), fc.array(chunk), (alpn, chunks) => {
      const { observer, exchanges, budget } = record(alpn);
      replay(observer, alpn === 'h2' ? [preface, ...chunks] : chunks);
      for (const exchange of exchanges) exchange.release();
      expect(budget.held()).toBe(0);
    }),
    { numRuns: 300 },
  );
});
