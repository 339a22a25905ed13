import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCopyBudget } from '../wire/copy-budget.ts';
import { bytesOf, textOf } from '../wire/testing/recorder.ts';
import type { HeldRequest } from './held-request.ts';
import { createRequestGate } from './request-gate.ts';
import type { RequestGateOptions } from './request-gate-state.ts';

/**
 * Creates a gate that records all its effects. Requests to paths that begin with `/call` are held.
 */
function gate(options: Partial<RequestGateOptions> = {}) {
  const seen = {
    read: '',
    toServer: '',
    toClient: '',
    held: [] as HeldRequest[],
    givenUp: [] as string[],
    closed: 0,
    resumed: 0,
    budget: createCopyBudget(2 ** 20),
  };
  const made = createRequestGate({
    holds: ({ target }) => target.startsWith('/call'),
    maxBodyBytes: 1000,
    budget: seen.budget,
    onRead: (bytes) => (seen.read += textOf(bytes)),
    toServer: (bytes) => (seen.toServer += textOf(bytes)),
    toClient: (bytes) => (seen.toClient += textOf(bytes)),
    onHeld: (request) => seen.held.push(request),
    onResume: () => (seen.resumed += 1),
    onClosed: () => (seen.closed += 1),
    onGivenUp: (reason) => seen.givenUp.push(reason),
    ...options,
  });
  return Object.assign(seen, {
    gate: made,
    client: (text: string) => made.fromClient(bytesOf(text)),
    server: (text: string) => made.fromServer(bytesOf(text)),
    refuse: (text: string, keepAlive = true) => made.refuse(bytesOf(text), keepAlive),
  });
}

const call = (body: string, more = '') =>
  `POST /call HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const LIST = 'GET /list HTTP/1.1\r\nHost: a\r\n\r\n';
const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const REFUSED = 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n';
const bodyOf = ({ body }: HeldRequest) => body.map(textOf).join('');

describe('a call', () => {
  test('is held until it is complete and evaluated, then forwarded unchanged', () => {
    const seen = gate();
    const request = call('hello');
    seen.client(request.slice(0, 30));
    seen.client(request.slice(30, -1));
    expect([seen.toServer, seen.held]).toEqual(['', []]);
    seen.client(request.slice(-1));
    expect([seen.toServer, seen.held.map(bodyOf)]).toEqual(['', ['hello']]);
    expect(seen.gate.isWaiting()).toBe(true);
    seen.gate.pass();
    expect([seen.toServer, seen.gate.isWaiting()]).toEqual([request, false]);
    seen.server(ok('hi'));
    expect(seen.toClient).toBe(ok('hi'));
    expect(seen.budget.held()).toBe(0);
  });

  test('that is refused never reaches the server, and the next one is evaluated separately', () => {
    const seen = gate();
    seen.client(call('one') + call('two'));
    seen.refuse(REFUSED);
    expect([seen.toServer, seen.toClient]).toEqual(['', REFUSED]);
    expect(seen.held.map(({ id, body }) => [id, body.map(textOf).join('')])).toEqual([
      [0, 'one'],
      [1, 'two'],
    ]);
    seen.gate.pass();
    seen.server(ok('2'));
    expect([seen.toServer, seen.toClient]).toEqual([call('two'), REFUSED + ok('2')]);
  });

  test('is answered in its turn, after pending responses', () => {
    const seen = gate();
    seen.client(LIST + call('x') + LIST);
    seen.refuse(REFUSED);
    expect(seen.toClient).toBe('');
    seen.server(ok('first').slice(0, -1));
    expect(seen.toClient).not.toContain('403');
    seen.server(`t${ok('third')}`);
    expect(seen.toClient).toBe(ok('first') + REFUSED + ok('third'));
    expect(seen.toServer).toBe(LIST + LIST);
  });

  test('in chunks, with trailers, is evaluated without its framing', () => {
    const seen = gate();
    const head = 'POST /call HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunked = `${head}3\r\nabc\r\n2;x\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n`;
    seen.client(chunked);
    expect(seen.held.map(bodyOf)).toEqual(['abcde']);
    seen.gate.pass();
    expect(seen.toServer).toBe(chunked);
  });

  test('without a body is evaluated too', () => {
    const seen = gate();
    seen.client('POST /call HTTP/1.1\r\n\r\n');
    expect(seen.held).toMatchObject([{ method: 'POST', target: '/call', truncated: false }]);
  });

  test('that is too large is evaluated by its beginning, and the rest gets the same decision', () => {
    for (const passes of [true, false]) {
      const seen = gate();
      const request = call('x'.repeat(5000));
      seen.client(request.slice(0, 2000));
      expect(seen.held).toMatchObject([{ truncated: true }]);
      expect(seen.held.map(bodyOf)).toEqual(['x'.repeat(1000)]);
      if (passes) seen.gate.pass();
      else seen.refuse(REFUSED);
      seen.client(request.slice(2000, 4000));
      seen.client(request.slice(4000) + LIST);
      expect(seen.toServer).toBe((passes ? request : '') + LIST);
      expect(seen.toClient).toBe(passes ? '' : REFUSED);
      expect(seen.budget.held()).toBe(0);
    }
  });

  test('that exceeds the memory is evaluated by its stored part', () => {
    const seen = gate({ budget: createCopyBudget(10) });
    seen.client(call('x'.repeat(500)).slice(0, -100));
    expect(seen.held).toMatchObject([{ truncated: true }]);
  });
});

describe('a client', () => {
  const expecting = call('hello', 'Expect: 100-continue\r\n');
  const head = expecting.slice(0, -5);

  test('that waits for 100 Continue gets exactly one, whatever the server sends later', () => {
    const seen = gate();
    seen.client(head);
    expect(seen.toClient).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    seen.client('hello');
    seen.gate.pass();
    expect(seen.toServer).toBe(expecting);
    for (const character of 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n')
      seen.server(character);
    seen.server(ok('hi'));
    const expected = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n${ok('hi')}`;
    expect(seen.toClient).toBe(expected);
  });

  test('that waits for it behind another response gets it after that response', () => {
    const seen = gate();
    seen.client(LIST + head);
    expect(seen.toClient).toBe('');
    seen.server(ok('list'));
    expect(seen.toClient).toBe(`${ok('list')}HTTP/1.1 100 Continue\r\n\r\n`);
  });

  test('that waits for it with a request that is not held gets it from the server', () => {
    const seen = gate();
    seen.client(head.replace('/call', '/list'));
    expect([seen.toServer, seen.toClient]).toEqual([head.replace('/call', '/list'), '']);
    seen.server('HTTP/1.1 100 Continue\r\n\r\n');
    expect(seen.toClient).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  });

  test('that ends within a call has its partial call evaluated', () => {
    const seen = gate();
    seen.client(call('hello').slice(0, -2));
    seen.gate.clientEnded();
    expect(seen.held).toMatchObject([{ truncated: true }]);
    seen.gate.pass();
    expect(seen.toServer).toBe(call('hello').slice(0, -2));
  });

  test('that ends within a head has the partial head forwarded', () => {
    const seen = gate();
    seen.client('POST /ca');
    seen.gate.clientEnded();
    expect(seen.toServer).toBe('POST /ca');
  });

  test('that disconnects while its call is evaluated has nothing forwarded', () => {
    const seen = gate();
    seen.client(call('hello') + LIST);
    seen.gate.drop();
    seen.gate.pass();
    expect([seen.toServer, seen.budget.held()]).toEqual(['', 0]);
  });

  test('sends nothing more to the server after a response that closes the connection', () => {
    const seen = gate();
    seen.client(call('hello', 'Connection: close\r\n'));
    seen.refuse(REFUSED, false);
    seen.client(LIST);
    expect([seen.toServer, seen.toClient, seen.closed]).toEqual(['', REFUSED, 1]);
  });
});

describe('bytes of a client after a WebSocket request', () => {
  const upgrade = 'GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n';
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n';

  /** Creates a gate whose WebSockets record the client's bytes. */
  function socketGate() {
    const frames = { fromClient: '' };
    const socket = {
      fromClient: (bytes: Uint8Array) => void (frames.fromClient += textOf(bytes)),
      fromServer: () => undefined,
      isWaiting: () => false,
      drop: () => undefined,
    };
    const openSocket: RequestGateOptions['openSocket'] = ({ target }) =>
      target === '/socket' ? socket : null;
    return Object.assign(gate({ openSocket }), { frames });
  }

  test('are held as frames once the server has accepted', () => {
    const seen = socketGate();
    seen.client(upgrade);
    expect(seen.gate.isBuffering()).toBe(false); // the end of the client must be noticed
    seen.client('\x81\x80ear\r\n');
    seen.client('ly');
    expect([seen.toServer, seen.gate.isBuffering(), seen.gate.isWaiting()]).toEqual([
      upgrade,
      true,
      false,
    ]);
    seen.server(switched);
    seen.client('!');
    expect(seen.frames.fromClient).toBe('\x81\x80ear\r\nly!');
    expect([seen.read, seen.toServer, seen.toClient]).toEqual([upgrade, upgrade, switched]);
    expect([seen.givenUp, seen.gate.isBuffering(), seen.resumed]).toEqual([[], false, 1]);
  });

  test('are the next request once the server has declined', () => {
    const seen = socketGate();
    seen.client(upgrade + call('one'));
    expect(seen.held).toEqual([]);
    seen.server('HTTP/1.1 103 Hints\r\n\r\n');
    expect(seen.held).toEqual([]);
    seen.server(ok('no'));
    expect([seen.held.map(bodyOf), seen.resumed]).toEqual([['one'], 1]);
    seen.gate.pass();
    expect([seen.toServer, seen.frames.fromClient]).toEqual([upgrade + call('one'), '']);
    expect([seen.gate.isBuffering(), seen.givenUp]).toEqual([false, []]);
  });

  test('are no longer stored once the server has ended or its response is unreadable', () => {
    for (const end of ['serverEnded', 'nonsense']) {
      const seen = socketGate();
      seen.client(upgrade + LIST);
      if (end === 'serverEnded') seen.gate.serverEnded();
      else seen.server('nonsense\r\n');
      expect([seen.read, seen.toServer]).toEqual([upgrade + LIST, upgrade + LIST]);
      expect([seen.gate.isBuffering(), seen.resumed]).toEqual([false, 1]);
    }
  });
});

describe('the gate stops gating', () => {
  test('once another protocol is used', () => {
    const seen = gate();
    const upgrade = 'GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n';
    const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n';
    seen.client(upgrade);
    seen.server(`${switched}\x81\x00`);
    seen.client(`\x81\x80${call('x')}`);
    expect(seen.toServer).toBe(`${upgrade}\x81\x80${call('x')}`);
    expect([seen.toClient, seen.givenUp, seen.held]).toEqual([`${switched}\x81\x00`, [], []]);
  });

  test.each([
    ['what is no HTTP', 'hello\r\nthere\r\n\r\n'],
    ['two lengths', 'POST /call HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a chunk without a size', 'POST /call HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n'],
  ])('after %s, and no bytes are lost', (_, text) => {
    const seen = gate();
    seen.client(LIST + text.slice(0, 9));
    seen.client(`${text.slice(9)}more`);
    expect(seen.toServer).toBe(`${LIST}${text}more`);
    expect(seen.givenUp).toHaveLength(1);
    seen.server('anything');
    expect([seen.toClient, seen.budget.held()]).toEqual(['anything', 0]);
  });

  test('after an unreadable request behind a call, and the order is kept', () => {
    const seen = gate();
    seen.client(`${call('x')}nonsense\r\n`);
    seen.client('later');
    seen.gate.pass();
    expect(seen.toServer).toBe(`${call('x')}nonsense\r\nlater`);
  });
});

interface PipelinedRequest {
  text: string;
  response: string;
  isCall: boolean;
  passes: boolean;
}

const pipelinedRequest: fc.Arbitrary<PipelinedRequest> = fc
  .record({
    isCall: fc.boolean(),
    passes: fc.boolean(),
    framing: fc.constantFrom('none', 'length', 'chunked'),
    body: fc.string({ unit: fc.constantFrom('a', '\r', '\n', '0', 'POST /call'), maxLength: 30 }),
    blank: fc.constantFrom('', '\r\n'),
  })
  .map(({ isCall, passes, framing, body, blank }) => {
    const coded = {
      none: '\r\n',
      length: `Content-Length: ${body.length}\r\n\r\n${body}`,
      chunked: `Transfer-Encoding: chunked\r\n\r\n${
        body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`
      }0\r\n\r\n`,
    }[framing];
    return {
      text: `${blank}POST /${isCall ? 'call' : 'list'} HTTP/1.1\r\nHost: a\r\n${coded}`,
      response: ok(body),
      isCall,
      passes,
    };
  });

/** Splits the text into pieces of these sizes, repeated. */
function* inPieces(text: string, sizes: readonly number[]): Generator<string> {
  for (let at = 0, i = 0; at < text.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    yield text.slice(at, at + size);
    at += size;
  }
}

describe('with any split of the bytes', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

  const conversation = fc.record({
    all: fc.array(pipelinedRequest, { maxLength: 6 }),
    ofClient: sizes,
    ofServer: sizes,
    /** Whether, for each piece of the client, held requests are evaluated before the next piece. */
    isSoon: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  });

  test('passed bytes are unchanged, refused requests are absent, and responses keep their order', () => {
    fc.assert(
      fc.property(conversation, ({ all, ofClient, ofServer, isSoon }) => {
        const seen = gate();
        const calls = all.filter(({ isCall }) => isCall);
        let evaluated = 0;
        const evaluate = (): void => {
          while (seen.gate.isWaiting())
            if (calls[evaluated++]?.passes) seen.gate.pass();
            else seen.refuse(REFUSED);
        };
        [...inPieces(all.map(({ text }) => text).join(''), ofClient)].forEach((piece, i) => {
          seen.client(piece);
          if (isSoon[i % isSoon.length]) evaluate();
        });
        evaluate();
        const passing = all.filter(({ isCall, passes }) => !isCall || passes);
        expect(evaluated).toBe(calls.length);
        for (const piece of inPieces(passing.map(({ response }) => response).join(''), ofServer))
          seen.server(piece);
        const answers = all.map((one) => (passing.includes(one) ? one.response : REFUSED));
        expect(seen.read).toBe(all.map(({ text }) => text).join(''));
        expect(seen.toServer).toBe(passing.map(({ text }) => text).join(''));
        expect(seen.toClient).toBe(answers.join(''));
        expect(seen.givenUp).toEqual([]);
        expect(seen.budget.held()).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test('arbitrary bytes are neither lost nor changed if everything passes', () => {
    const unit = fc.constantFrom(call('x'), LIST, '\r\n', 'POST ', 'a', '0', ':', ' HTTP/1.1');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), sizes, (text, ofClient) => {
        const seen = gate();
        for (const piece of inPieces(text, ofClient)) {
          seen.client(piece);
          while (seen.gate.isWaiting()) seen.gate.pass();
        }
        seen.gate.clientEnded();
        while (seen.gate.isWaiting()) seen.gate.pass();
        expect([seen.read, seen.toServer]).toEqual([text, text]);
      }),
    );
  });
});
