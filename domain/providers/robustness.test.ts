import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinDetectors } from '../redaction/builtin.ts';
import { memberRules } from '../redaction/member-rules.ts';
import { redactJson } from '../redaction/redact-json.ts';
import { apis } from './apis.ts';
import { describeExchange } from './describe-exchange.ts';
import type { LlmExchange } from './exchange.ts';
import { joinByPath } from './join-by-path.ts';
import { joinExchange } from './join-exchange.ts';
import { joinMessages } from './join-messages.ts';
import { readJsonValues } from './stream-formats/json-values.ts';
import { readSse } from './stream-formats/sse.ts';
import { encodeAwsEventStream } from './testing/aws-event-stream.ts';
import { sampleCalls, joinAndDescribe, textEvents } from './testing/sampled-calls.ts';

const samples = new URL('samples/', import.meta.url);
const streams = readdirSync(samples)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => [name, readFileSync(new URL(name, samples), 'utf8')] as const);

const SSE = 'text/event-stream';
const anyCall = fc.constantFrom(...sampleCalls);

describe('reading never throws', () => {
  test('for a stream with parts removed, repeated or replaced', () => {
    const change = fc.tuple(
      fc.nat(),
      fc.nat(60),
      fc.constantFrom('', 'twice', '{', '"', '\n\n', '1'),
    );
    fc.assert(
      fc.property(
        anyCall,
        fc.constantFrom(...streams),
        fc.array(change, { maxLength: 6 }),
        (call, [, stream], changes) => {
          let text = stream;
          for (const [at, length, put] of changes) {
            const start = at % text.length;
            const part = text.slice(start, start + length);
            text = `${
              text.slice(0, start) +
              (put === 'twice' ? part + part : put) +
              text.slice(start + length)
            } `;
          }
          joinAndDescribe(call, text, SSE);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('for events of any shape', () => {
    fc.assert(
      fc.property(anyCall, fc.array(eventLike(), { maxLength: 12 }), (call, events) => {
        joinAndDescribe(
          call,
          events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
          SSE,
        );
        for (const api of apis)
          JSON.stringify(api.joinStream(events.map((data) => ({ name: 'metadata', data }))));

        joinMessages(events.map((event) => ({ from: 'server', text: JSON.stringify(event) })));
      }),
      { numRuns: 1000 },
    );
  });

  test('for AWS events of any shape', () => {
    const names = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'metadata', 'chunk'];
    const message = fc.tuple(fc.constantFrom(...names), eventLike());
    const bedrock = sampleCalls.filter(([host]) => host.startsWith('bedrock'));
    fc.assert(
      fc.property(
        fc.constantFrom(...bedrock),
        fc.array(message, { maxLength: 8 }),
        (call, given) => {
          const messages = given.map(([name, payload]) => ({
            headers: { ':event-type': name },
            payload: payload as object,
          }));
          joinAndDescribe(
            call,
            encodeAwsEventStream(messages),
            'application/vnd.amazon.eventstream',
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test('for bodies of any shape', () => {
    const hosts = fc.constantFrom(...sampleCalls.map(([host, path]) => ({ host, path })));
    fc.assert(
      fc.property(hosts, eventLike(), eventLike(), fc.nat(), (call, request, response, at) => {
        const [requestJson, responseJson] = [request, response].map((value) =>
          JSON.stringify(value),
        );
        const described = describeExchange({
          ...call,
          request: requestJson!,
          response: responseJson!,
          status: 400,
        });
        if (described) expectTypes(described);
        describeExchange({
          ...call,
          request: requestJson!.slice(0, at % (requestJson!.length + 1)),
          response: responseJson!.slice(0, at % (responseJson!.length + 1)),
          status: null,
        });
        for (const api of apis) api.describe({ ...call, request }, response);
      }),
      { numRuns: 3000 },
    );
  });

  test('for any text and any bytes', () => {
    const types = fc.constantFrom(
      SSE,
      'application/json',
      'application/connect+json',
      '',
      'a;charset=x',
    );
    fc.assert(
      fc.property(anyCall, fc.oneof(fc.string(), fc.uint8Array()), types, (call, body, type) => {
        const joined = joinExchange({
          host: call[0],
          path: call[1],
          requestType: type,
          responseType: type,
          requestBody: body,
          responseBody: body,
        });
        describeExchange({ host: call[0], path: call[1], status: 500, ...joined });
      }),
    );
  });
});

/** JSON with the members that parsers look for, and arbitrary values in them. */
function eventLike(): fc.Arbitrary<unknown> {
  const names = [
    ...'type object id model index delta message choices content text role name p o v c'.split(' '),
    ...'tool_calls function arguments usage response output item part output_index'.split(' '),
    ...'content_index content_block partial_json candidates parts functionCall args'.split(' '),
    ...'partialArgs jsonPath stringValue willContinue usageMetadata messages author'.split(' '),
    ...'contentBlockIndex start toolUse input reasoningContent done prompt contents'.split(' '),
    ...'tools responses items session error status annotation summary_index __proto__'.split(' '),
    ...'prompt_tokens input_tokens promptTokenCount metadata bytes constructor'.split(' '),
  ];
  const words = [
    ...'message_start content_block_start content_block_delta message_delta error'.split(' '),
    ...'input_json_delta citations_delta text_delta response.created response.completed'.split(' '),
    ...'response.output_item.added response.output_text.delta message text append add'.split(' '),
    ...'response.output_text.annotation.added response.content_part.added patch user'.split(' '),
    ...'message-start content-delta message-end /a/0 -1 response chat.completion.chunk'.split(' '),
    ...'session.created conversation.item.added tool_use message function_call mcp_call'.split(' '),
  ];
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.oneof(
        fc.constantFrom(...words),
        fc.constantFrom(null, true, -1, 0, 1, 4_294_967_295, 1e300, 0.5, ''),
        fc.string({ maxLength: 5 }),
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8, minKeys: 3 }),
    ),
  }));
  return value;
}

function expectTypes(described: LlmExchange): void {
  const { tools_offered: offered, tools_called: called, ...facts } = described;
  const wrong = Object.entries(facts).filter(([name, value]) =>
    value === null
      ? name === 'provider' || name === 'operation'
      : name.startsWith('tokens_')
        ? !Number.isSafeInteger(value)
        : typeof value !== 'string',
  );
  expect(wrong).toEqual([]);
  expect(offered.every((name) => typeof name === 'string')).toBe(true);
  expect(called.every(({ name }) => typeof name === 'string')).toBe(true);
}

test('joining does not change the events, so that another API can read them', () => {
  for (const [name, stream] of streams) {
    const read = name.startsWith('ollama') || name.startsWith('grok') ? readJsonValues : readSse;
    const events = read(stream);
    const joined = () => apis.map((api) => JSON.stringify(api.joinStream(events)));
    expect([joined(), JSON.stringify(joinByPath(events))]).toEqual([
      joined(),
      JSON.stringify(joinByPath(events)),
    ]);
    expect(events).toEqual(read(stream));
  }
});

test('a text is joined correctly however it is divided, even within a character', () => {
  const text = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1 });
  fc.assert(
    fc.property(
      fc.constantFrom(...textEvents),
      text,
      fc.array(fc.nat()),
      (textEvent, words, cuts) => {
        const [[host, path, request], event] = textEvent;
        // A first character that occurs nowhere else, because otherwise the joiner could take the
        // unknown stream for one that repeats a growing text. `<` occurs in letters such as `≮`.
        const whole = `\uE000${words.join('').replaceAll('\uE000', '')}>`;
        const places = [0, 1, ...cuts.map((cut) => cut % whole.length), whole.length].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((end, i) => whole.slice(places[i], end));
        const { response } = joinExchange({
          host,
          path,
          requestType: null,
          responseType: SSE,
          requestBody: request,
          responseBody: pieces
            .map((piece, i) => `data: ${JSON.stringify(event(piece, i))}\n\n`)
            .join(''),
        });
        expect(response).toContain(JSON.stringify(whole).slice(1, -1).replaceAll('\\', '\\'));
      },
    ),
    { numRuns: 500 },
  );
});

test('a tool’s input is joined correctly however it is divided', () => {
  const block = { type: 'tool_use', id: 't', name: 'f', input: {} };
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat()), (input, cuts) => {
      const json = JSON.stringify(input);
      const places = [0, ...cuts.map((cut) => cut % json.length), json.length].sort(
        (a, b) => a - b,
      );
      const events = [
        { type: 'content_block_start', index: 0, content_block: block },
        ...places.slice(1).map((end, i) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: json.slice(places[i], end) },
        })),
      ];
      const [host, path, request] = sampleCalls[5];
      const { response } = joinExchange({
        host,
        path,
        requestType: null,
        responseType: SSE,
        requestBody: request,
        responseBody: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
      });
      expect(JSON.parse(response!)).toMatchObject({ content: [{ input: JSON.parse(json) }] });
    }),
  );
});

test('redaction finds secrets that were split across events', () => {
  const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
  const secrets = /4111 1111|AKIAIOSF|DE89 3704|ada@ex|bob@|901820/;
  const bedrock = readFileSync(new URL('bedrock-converse.json', samples), 'utf8');
  const messages = (JSON.parse(bedrock) as [string, object][]).map(([name, payload]) => ({
    headers: { ':event-type': name },
    payload,
  }));
  // A truncated card number is not detected.
  const whole = streams.filter(([name]) => name !== 'anthropic-error.txt');
  const bodies = [
    ...whole.map(([, stream]) => [stream, SSE] as const),
    [encodeAwsEventStream(messages), 'application/vnd.amazon.eventstream'] as const,
  ];
  for (const [host, path, request] of sampleCalls) {
    const found = bodies.filter(([responseBody, responseType]) => {
      const { response } = joinExchange({
        host,
        path,
        requestType: null,
        responseType,
        requestBody: request,
        responseBody,
      });
      expect(redactJson(response, rules).value).not.toMatch(secrets);
      return secrets.test(response!);
    });
    expect(found.length).toBeGreaterThanOrEqual(8);
  }
});
