import { describe, expect, test } from 'vitest';
import { newTraceId, requestOf } from '../otel/spans.ts';
import { responseId, chatCapture, socketCapture } from '../support/captured-exchange.ts';
import { databases } from '../support/databases.ts';
import { setUpCapturedCalls } from '../support/captured-calls.ts';

describe.each(databases)('calls of captured exchanges on %s', (kind) => {
  const world = setUpCapturedCalls(kind);
  const { iso, send, runsOf, runOf, oneRun, callsOf, captured, record, app } = world;

  const trace = async (agent: string, id: string) => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.agent.name': agent,
      'gen_ai.response.model': 'gpt-4o',
      'gen_ai.response.id': id,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
    };
    const body = requestOf([{ trace: newTraceId(), id: 'call', attributes }]);
    await world.service.byKey.otel.exportTraces({ body });
    return (await oneRun(agent)).id;
  };

  describe('that clients record too', () => {
    test.each(['recording', 'OpenTelemetry'] as const)(
      'by %s earlier: nothing is recorded again, and the capture links to the run',
      async (how) => {
        const [agent, of] = [`first by ${how}`, `second to ${how}`];
        const id = responseId(how);
        const run = await (how === 'recording' ? record(agent, id) : trace(agent, id));
        await send(world.device, chatCapture(of, iso(1), { id, ...app(of) }));
        expect(await runsOf(of)).toEqual([]);
        expect((await captured(of)).run_id).toBe(run);
        expect(await callsOf(agent)).toMatchObject({ total_calls: 1, total_tokens: 110 });
      },
    );

    test.each(['recording', 'OpenTelemetry'] as const)(
      'by %s later: the run of the capture is removed, also from all totals',
      async (how) => {
        const [agent, of] = [`late by ${how}`, `early to ${how}`];
        const id = responseId(`late ${how}`);
        const requestFields = { session_id: of };
        const more = app(of, { user: of });
        await send(world.device, chatCapture(of, iso(1), { id, requestFields, ...more }));
        const { id: early } = await oneRun(of);
        const run = await (how === 'recording' ? record(agent, id) : trace(agent, id));
        expect(await runsOf(of)).toEqual([]);
        await expect(runOf(early)).rejects.toMatchObject({ status: 404 });
        expect((await captured(of)).run_id).toBe(run);
        expect(await callsOf(agent)).toMatchObject({ total_calls: 1, total_tokens: 110 });
        expect(await callsOf(of)).toMatchObject({ total_calls: 0, total_tokens: 0 });
        const { byOwner } = world.service;
        const search = { query: { search: of } };
        expect((await byOwner.analytics.listSessions(search)).results).toEqual([]);
        expect((await byOwner.analytics.listTrackedUsers(search)).results).toEqual([]);
        await send(
          world.device,
          chatCapture(`${of} once more`, iso(2), { id, requestFields, ...more }),
        );
        expect(await runsOf(of)).toEqual([]);
      },
    );

    test('twice, in the same way or another: the first record stays', async () => {
      const id = responseId('by two');
      const run = await record('two', id, id, null, null);
      await record('two again', id);
      const traced = await trace('two traced', id);
      expect(await callsOf('two')).toMatchObject({ total_calls: 3 });
      expect(await callsOf('two again')).toMatchObject({ total_calls: 0 });
      expect((await runOf(traced)).llm_call_count).toBe(0);
      expect((await runOf(run)).tokens).toBe(330);
    });

    describe('as one of the responses on a WebSocket', () => {
      const idsOf = (of: string) => [1, 2, 3].map((turn) => responseId(`${of} turn ${turn}`));
      const callsOn = async (agent: string) => {
        const { results, total_tokens } = await callsOf(agent);
        const prompts = results.map(({ prompt_preview }) => prompt_preview).sort();
        return { prompts, total_tokens };
      };

      test('earlier: only the others are recorded', async () => {
        const of = 'socket late';
        const ids = idsOf(of);
        const run = await record('socket first', ids[0] ?? '');
        await send(world.device, socketCapture(of, iso(1), { ids, ...app(of) }));
        expect(await callsOn(of)).toEqual({
          prompts: [`Question for ${ids[1]}`, `Question for ${ids[2]}`],
          total_tokens: 520,
        });
        expect((await runOf(run)).tokens).toBe(110);
      });

      test('later: only this one is withdrawn', async () => {
        const of = 'socket early';
        const ids = idsOf(of);
        await send(world.device, socketCapture(of, iso(1), { ids, ...app(of) }));
        expect(await callsOn(of)).toMatchObject({ total_tokens: 630 });
        const run = await record('socket second', ids[2] ?? '');
        expect(await callsOn(of)).toEqual({
          prompts: [`Question for ${ids[0]}`, `Question for ${ids[1]}`],
          total_tokens: 320,
        });
        expect((await runOf(run)).tokens).toBe(110);
        const runs = await runsOf(of);
        expect((await captured(of)).run_id).toBe(Math.min(...runs.map(({ id }) => id)));
        await send(world.device, socketCapture(`${of} again`, iso(2), { ids, ...app(of) }));
        expect(await runsOf(of)).toHaveLength(2);
      });

      test('all of them: the capture links to a run of the client', async () => {
        const of = 'socket all';
        const ids = idsOf(of);
        await send(world.device, socketCapture(of, iso(1), { ids, ...app(of) }));
        const run = await record('socket all recorded', ...ids);
        expect(await runsOf(of)).toEqual([]);
        expect((await captured(of)).run_id).toBe(run);
      });
    });

    test('with a short id, which is not unique, are separate calls', async () => {
      await record('short', 'chatcmpl-417', 'chatcmpl-417');
      await send(
        world.device,
        chatCapture('short', iso(1), { id: 'chatcmpl-417', ...app('short') }),
      );
      expect(await callsOf('short')).toMatchObject({ total_calls: 3 });
    });
  });
});
