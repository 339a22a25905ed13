// SVC_API_URL=http://localhost:8080 SVC_API_KEY=svc_sk_… node quick-start.mjs
import { init, observe, recordCall, recordScore, recordTool, shutdown } from 'svc-observe';

init({ agentName: 'weather-agent', captureContent: true });

async function lookUp(city) {
  const startedAt = Date.now();
  const output = { city, celsius: 21 };
  recordTool({
    name: 'weather',
    toolType: 'api',
    input: { city },
    output,
    durationMs: Date.now() - startedAt,
  });
  return output;
}

// Each call is a run; everything recorded during the call belongs to it.
const answer = observe(
  async (question, city) => {
    const { celsius } = await lookUp(city);
    const text = `It is ${celsius} °C in ${city}.`;
    recordCall({
      model: 'gpt-4o',
      tokensIn: 1000,
      tokensOut: 500,
      task: 'answer',
      promptPreview: question,
      responsePreview: text,
    });
    recordScore({ name: 'answered', value: true });
    return text;
  },
  { workflowName: 'forecast' },
);

console.log(await answer('How warm is it?', 'Lisbon'));
await shutdown();
