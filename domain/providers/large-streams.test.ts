import { describe, expect, test } from 'vitest';
import { describeExchange } from './describe-exchange.ts';
import { joinExchange } from './join-exchange.ts';
import {
  sampleCalls,
  joinAndDescribe,
  textEvents,
  type SampleCall,
} from './testing/sampled-calls.ts';

const SSE = 'text/event-stream';

describe('megabytes of events are joined in linear time', () => {
  // Rereading all earlier events at each event would take hours.
  test.each(textEvents.map(([call, event]) => [call[1], call, event] as const))(
    'at the path %s',
    (_path, call, event) => {
      const piece = (i: number) => `data: ${JSON.stringify(event(`word ${i} `, i))}\n\n`;
      const count = Math.ceil(10_000_000 / piece(1000).length);
      const body = Array.from({ length: count }, (_, i) => piece(i)).join('');
      const [host, path, request] = call;
      const { response } = joinExchange({
        host,
        path,
        requestType: null,
        responseType: SSE,
        requestBody: request,
        responseBody: new TextEncoder().encode(body),
      });
      expect(response).toContain(`word 0 word 1 word 2 `);
      expect(response).toContain(`word ${count - 1} `);
      describeExchange({ host, path, request, response, status: 200 });
    },
  );

  test.each<[string, SampleCall, (i: number) => unknown]>([
    ['a text repeated at each event', sampleCalls[15], (i) => ({ text: 'x'.repeat(i % 4000) })],
    [
      'tool calls',
      sampleCalls[0],
      (i) => ({ choices: [{ delta: { tool_calls: [{ index: i, id: `${i}` }] } }] }),
    ],
    ['patches of a list', sampleCalls[15], (i) => ({ p: '/a', o: 'append', v: [i] })],
    [
      'citations',
      sampleCalls[5],
      (i) => ({ type: 'content_block_delta', delta: { type: 'citations_delta', citation: { i } } }),
    ],
    [
      'annotations',
      sampleCalls[1],
      (i) => ({ type: 'response.output_text.annotation.added', annotation: { i } }),
    ],
    [
      'items',
      sampleCalls[1],
      (i) => ({ type: 'response.output_item.added', output_index: i, item: { id: i } }),
    ],
    [
      'pieces of reasoning',
      sampleCalls[0],
      (i) => ({
        choices: [{ delta: { reasoning_details: [{ type: 'reasoning.text', text: `w${i} ` }] } }],
      }),
    ],
    [
      'thoughts and texts',
      sampleCalls[6],
      (i) => ({
        candidates: [{ content: { parts: [{ text: `t${i}`, thought: true }, { text: `w${i}` }] } }],
      }),
    ],
    [
      'items without an index',
      sampleCalls[1],
      (i) => ({ type: 'response.output_text.delta', item_id: `i${i}`, delta: 'x' }),
    ],
    ['kinds of events', sampleCalls[15], (i) => ({ type: `kind-${i}`, i })],
    ['brackets', sampleCalls[15], () => '[{"a":[{'],
  ])('with %s', (_name, call, event) => {
    let body = '';
    for (let i = 0; body.length < 4_000_000; i += 1)
      body += `data: ${JSON.stringify(event(i))}\n\n`;
    joinAndDescribe(call, body, SSE);
  });

  test('in the formats of web applications', () => {
    const bodies = [
      '0:"word "\n9:{"toolCallId":"t","args":{}}\n'.repeat(100_000),
      'c:{"toolCallId":"t","argsTextDelta":"ab"}\n'.repeat(100_000),
      `[["wrb.fr",null,"[${'1,'.repeat(1_000_000)}1]"]]\n${'9\n[["wrb.fr",null,"[2]"]]\n'.repeat(90_000)}`,
      '[["wrb.fr"\n'.repeat(400_000),
      `[["wrb.fr"${'\n'.repeat(4_000_000)}`,
      'x:"a"\n'.repeat(600_000),
      'data|"ab"\n'.repeat(400_000),
      'data:"ab"\n'.repeat(400_000),
      'data:"ab"\n\ndata:{"a":1}\n\n'.repeat(150_000),
    ];
    for (const body of bodies) joinAndDescribe(sampleCalls[15], body, 'text/plain');
    const forms = ['a=1&', 'a%FF=+&', '%', '=', '&', 'a=%E0%A4&'];
    for (const form of forms)
      joinAndDescribe(sampleCalls[15], form.repeat(500_000), 'application/x-www-form-urlencoded');
    const parts = [
      '--b\r\n\r\n',
      '\r\n--b',
      '\r\n--b\r\n\r\n\r\n',
      'content-disposition: ; name=" ',
    ];
    for (const part of parts)
      joinAndDescribe(
        sampleCalls[15],
        new TextEncoder().encode(`--b${part.repeat(100_000)}`),
        'multipart/form-data; boundary=b',
      );
  });

  test('as lines of JSON, and as truncated JSON', () => {
    const values = '{"model":"m","done":false,"response":"ab"}'.repeat(90_000);
    joinAndDescribe(sampleCalls[10], values, 'application/x-ndjson');
    joinAndDescribe(sampleCalls[10], `[${values.replaceAll('}{', '},{')}`, 'application/json');
    joinAndDescribe(sampleCalls[0], `{"a":"${'\\"'.repeat(2_000_000)}`, 'application/json');
    joinAndDescribe(sampleCalls[0], `{"a":[${'{"b":"c"},'.repeat(400_000)}`, 'application/json');
  });
});
