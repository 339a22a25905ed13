import { expect, test } from 'vitest';
import type { Client, Report } from '../clients/client.ts';
import { assignToTurns, type ReportedEvent, type Turn } from './turns.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

const client = (followsTraces: boolean): Client => ({
  agent: 'test',
  isScope: () => true,
  followsTraces,
  sessionOf: () => 's',
  readEvent: () => 'ignored',
});

const event = (
  at: number,
  report: Partial<Report> = {},
  { trace_id = null as string | null, followsTraces = true } = {},
): ReportedEvent => ({
  client: client(followsTraces),
  record: {
    trace_id,
    span_id: null,
    at,
    position: at * 1000,
    event: 'x',
    body: null,
    attributes: {},
    resource: {},
    scope: { name: 'test', version: '1' },
  },
  report: { name: 'x', attributes: {}, ...report },
});
const stored =
  (...turns: [trace_id: string, started_at: number][]) =>
  (): Promise<Turn[]> =>
    Promise.resolve(
      turns.map(([trace_id, started_at]) => ({ session: 's', trace_id, started_at })),
    );
const tracesOf = async (events: ReportedEvent[], turnsOf = stored()) =>
  (await assignToTurns(events, turnsOf)).map(({ trace_id }) => trace_id);

test('records of one turn belong to one run, and records of another turn to another', async () => {
  const [a, b, c] = await tracesOf([
    event(1, { turn: 'p' }),
    event(2, { turn: 'p' }),
    event(3, { turn: 'q' }),
  ]);
  expect([a === b, a === c]).toEqual([true, false]);
});

test('a record in a span belongs to its trace, and so do other records of its turn', async () => {
  const inSpan = event(1, { turn: 'p', role: 'prompt' }, { trace_id: TRACE });
  expect(await tracesOf([inSpan, event(2, { turn: 'p' })])).toEqual([TRACE, TRACE]);
});

test('a record outside of any span is assigned to the trace of its turn by time', async () => {
  const turnsOf = stored(['1'.repeat(32), 10], [TRACE, 20], ['2'.repeat(32), 30]);
  expect(await tracesOf([event(25, { turn: 'p' })], turnsOf)).toEqual([TRACE]);
});

test('without traces, the run of a named turn does not depend on other turns', async () => {
  const [made] = await tracesOf([event(1, { turn: 'p', role: 'prompt' })]);
  const [later] = await tracesOf([event(50, { turn: 'p' })]);
  const [other] = await tracesOf([event(40, { turn: 'q', role: 'prompt' })]);
  const turnsOf = stored([other as string, 40]);
  expect([later, await tracesOf([event(50, { turn: 'p' })], turnsOf)]).toEqual([made, [made]]);
});

test('without a name, a record belongs to the last prompt before it', async () => {
  const own = { followsTraces: false };
  const prompt = { role: 'prompt' as const };
  const events = [event(5, {}, own), event(10, prompt, own), event(15, {}, own)];
  const [first, second, third] = await tracesOf([...events, event(20, prompt, own)]);
  expect([first, third]).toEqual([second, second]);
  expect(await tracesOf([event(15, {}, own)], stored([TRACE, 10], ['1'.repeat(32), 20]))).toEqual([
    TRACE,
  ]);
});

test('the prompt of a client whose turns have no names may have a trace', async () => {
  const options = { trace_id: TRACE, followsTraces: false };
  const prompt = event(1, { role: 'prompt' }, options);
  const other = event(2, {}, { trace_id: '1'.repeat(32), followsTraces: false });
  expect(await tracesOf([prompt, other])).toEqual([TRACE, TRACE]);
});

test('a session without known prompts is one run, without notes', async () => {
  const own = { followsTraces: false };
  const traces = await tracesOf([
    event(1, {}, own),
    event(2, { isNote: true }, own),
    event(3, {}, own),
  ]);
  expect([traces.length, traces[0] === traces[1]]).toEqual([2, true]);
});
