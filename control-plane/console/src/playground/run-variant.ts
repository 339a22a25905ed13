import { t } from '@lingui/core/macro';
import type { PlaygroundEvent } from '#contract/playground.ts';
import { api } from '../data/api.ts';
import { asSentence, describeError } from '../data/describe-error.ts';
import type { PromptContent } from '../data/prompt-sources.ts';
import type { Config } from '../prompts/config-draft.ts';
import type { Outcome } from './playground-state.ts';

interface Request {
  content: PromptContent;
  config: Config;
  variables: Record<string, string>;
}

const INTERRUPTED = t`The connection to the control plane ended before the response was complete.`;

/**
 * Runs a variant and reports its outcome as it grows. Resolves when the run has ended; never
 * rejects.
 */
export async function runVariant(
  request: Request,
  signal: AbortSignal,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  let outcome: Outcome = { status: 'running', output: '', result: null, error: null };
  let frame = 0;
  const report = (change: Partial<Outcome>) => {
    cancelAnimationFrame(frame);
    outcome = { ...outcome, ...change };
    onOutcome(outcome);
  };
  report({});
  try {
    // The schema of the contract validates the config, whose members may have any type.
    const body = request as never;
    for await (const event of api.playground.runPlayground.events({ body }, { signal }))
      if ('delta' in event) {
        outcome = { ...outcome, output: outcome.output + event.delta };
        // Deltas can arrive faster than they can be rendered.
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => onOutcome(outcome));
      } else report(ended(event));
    if (outcome.status === 'running') report({ status: 'failed', error: INTERRUPTED });
  } catch (error) {
    if (signal.aborted) report({ status: 'stopped' });
    else report({ status: 'failed', error: describeError(error) });
  }
}

const ended = (event: Exclude<PlaygroundEvent, { delta: string }>): Partial<Outcome> =>
  'error' in event
    ? { status: 'failed', error: asSentence(event.error) }
    : { status: 'done', output: event.output, result: event };
