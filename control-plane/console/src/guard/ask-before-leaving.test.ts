import { expect, test } from 'vitest';
import { askBeforeLeaving } from './ask-before-leaving.ts';

/**
 * Dispatches an event. Returns whether the page was left and how often a confirmation was
 * requested.
 */
function leave(event: Event, answer: boolean, stopped = false) {
  const page = new EventTarget();
  const confirmations: string[] = [];
  const confirm = (question: string) => {
    confirmations.push(question);
    return answer;
  };
  const location = { pathname: '/guard' };
  const stop = askBeforeLeaving({ window: page, navigation: page, location, confirm });
  if (stopped) stop();
  return { left: page.dispatchEvent(event), confirmations: confirmations.length };
}

function navigate(url: string, sameDocument = true, cancelable = true): Event {
  const destination = { url: `https://gatehouse.example${url}`, sameDocument };
  return Object.assign(new Event('navigate', { cancelable }), { destination });
}

const close = () => new Event('beforeunload', { cancelable: true });

test.each([
  ['another page', navigate('/devices'), true, { left: true, confirmations: 1 }],
  [
    'another page, without confirming',
    navigate('/devices'),
    false,
    { left: false, confirmations: 1 },
  ],
  [
    'another level of the same page',
    navigate('/guard?level=agent'),
    false,
    { left: true, confirmations: 0 },
  ],
  ['another document', navigate('/docs', false), false, { left: true, confirmations: 0 }],
  [
    'a page whose navigation cannot be cancelled',
    navigate('/runs', true, false),
    false,
    { left: true, confirmations: 0 },
  ],
  ['another site', close(), true, { left: false, confirmations: 0 }],
])('leaving for %s', (_, event, answer, outcome) => expect(leave(event, answer)).toEqual(outcome));

test.each([
  ['another page', navigate('/devices')],
  ['another site', close()],
])('without unsaved changes, leaving for %s needs no confirmation', (_, event) =>
  expect(leave(event, false, true)).toEqual({ left: true, confirmations: 0 }),
);
