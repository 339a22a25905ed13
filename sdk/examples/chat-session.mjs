// A conversation: each turn is a run, and the turns share a session.
// SVC_API_URL=http://localhost:8080 SVC_API_KEY=svc_sk_… node chat-session.mjs
import { getPrompt, init, observe, recordCall, shutdown } from 'svc-observe';

init({ agentName: 'support', captureContent: true });

const turn = observe(
  async (_sessionId, question) => {
    const prompt = await getPrompt('support-answer', {
      label: 'production',
      fallback: [
        { role: 'system', content: 'You answer for {{ company }}.' },
        { role: 'user', content: '{{ question }}' },
      ],
    });
    const messages = prompt.compile({ company: 'Example Ltd', question });
    const reply = `(${messages.length} messages) You asked: ${question}`;
    // The option `prompt` adds the call to the metrics of this version of the prompt.
    recordCall({
      model: 'gpt-4o-mini',
      tokensIn: 40,
      tokensOut: 12,
      prompt,
      responsePreview: reply,
    });
    return `v${prompt.version} ${reply}`;
  },
  {
    workflowName: 'chat',
    perCall: (sessionId) => ({ sessionId, userId: 'user-7' }),
  },
);

for (const question of ['Where is my parcel?', 'Can I change the address?'])
  console.log(await turn('session-42', question));
await shutdown();
