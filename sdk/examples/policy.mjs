// Checks policies before acting.
// SVC_API_URL=http://localhost:8080 SVC_API_KEY=svc_sk_… node policy.mjs
import { checkPolicy, init, observe, PolicyViolationError, shutdown, startRun } from 'svc-observe';

init({ agentName: 'refunds' });

// The actions block and throttle throw an error; skip returns undefined.
const refund = observe(async (amount) => `refunded ${amount}`, {
  agentName: 'refunds',
  workflowName: 'payout',
  enforcePolicy: true,
});

try {
  console.log((await refund(20)) ?? 'skipped');
} catch (error) {
  if (!(error instanceof PolicyViolationError)) throw error;
  console.log(`not allowed: ${error.message} (${error.action})`);
}

// A tool without a wrapped function checks its policies explicitly.
const { allowed, action, reason } = await checkPolicy({ agentName: 'mcp:mail:send' });
const run = startRun({ agentName: 'refunds', workflowName: 'notify' });
run.recordDecision({
  options: ['send', 'wait'],
  chosen: allowed ? 'send' : 'wait',
  reasoning: reason,
});
run.complete({ action });
await shutdown();
