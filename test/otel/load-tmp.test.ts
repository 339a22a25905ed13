import { test } from 'vitest';
import { startTestControlPlane } from '/work/main/test/support/control-plane.ts';
import { requestOf, newTraceId } from '/work/main/test/otel/spans.ts';
test.each(['sqlite','postgres'] as const)('load %s', async (kind) => {
  const s = await startTestControlPlane(kind);
  const trace = newTraceId();
  const mk = (id: string, parent: string | undefined, i: number, chat: boolean) => ({ id, ...(parent && {parent}), from: i, to: i + 5, attributes: chat ? { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 10, 'gen_ai.input.messages': JSON.stringify([{role:'user',parts:[{type:'text',content:'x'.repeat(500)}]}]), 'gen_ai.output.messages': JSON.stringify([{role:'assistant',parts:[{type:'text',content:'y'.repeat(500)}]}]) } : { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't', 'gen_ai.tool.call.arguments': '{"a":1}' } });
  const times: number[] = [];
  for (let b = 0; b < 60; b++) {
    const spans = Array.from({length: 500}, (_, i) => mk(`${(b*500+i).toString(36)}`, i % 5 === 0 ? 'root' : `${(b*500+i - i%5).toString(36)}`, b*500+i, i % 3 === 0));
    const body = JSON.stringify(requestOf(spans, { trace }));
    const t = performance.now();
    const r = await fetch(`${s.urls.public}/api/v1/otel/v1/traces`, { method: 'POST', headers: {'x-svc-key':'svc_sk_0123456789abcdef0123456789abcdef','content-type':'application/json'}, body });
    if (r.status !== 200) throw new Error(await r.text());
    times.push(performance.now() - t);
  }
  const t0 = performance.now();
  await s.byKey.otel.exportTraces({ body: requestOf([{ id: 'root', attributes: {'gen_ai.operation.name':'invoke_agent','gen_ai.agent.name':'A'} }], { trace }) });
  console.log(kind, '30k one trace: first', times.slice(0,3).map(Math.round), 'last', times.slice(-3).map(Math.round), 'sum', Math.round(times.reduce((a,b)=>a+b)), 'root', Math.round(performance.now()-t0));
  const single: number[] = [];
  for (let b = 0; b < 20; b++) {
    const spans = Array.from({length: 500}, (_, i) => ({...mk('c', undefined, i, true), trace: newTraceId()}));
    const t = performance.now();
    await s.byKey.otel.exportTraces({ body: requestOf(spans) });
    single.push(performance.now() - t);
  }
  console.log(kind, '500 traces of one span:', single.map(Math.round).join(' '));
  await s.stop();
}, 300000);
