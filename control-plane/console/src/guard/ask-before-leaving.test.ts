import { expect, test } from 'vitest';
import { askBeforeLeaving } from './ask-before-leaving.ts';

/** Whether leaving was asked about, and whether it happened. */
function leave(to: Event, answer: boolean, stopped = false) {
  const page = new EventTarget();
  const asked: string[] = [];
  const confirm = (question: string) => {
    asked.push(question);
    return answer;
  };
  const location = { pathname: '/guard' };
  const stop = askBeforeLeaving({ window: page, navigation: page, location, confirm });
  if (stopped) stop();
  return { left: page.dispatchEvent(to), asked: asked.length };
}

function navigate(url: string, sameDocument = true, cancelable = true): Event {
  const destination = { url: `https://gatehouse.example${url}`, sameDocument };
  return Object.assign(new Event('navigate', { cancelable }), { destination });
}

const close = () => new Event('beforeunload', { cancelable: true });

test.each([
  ['another page', navigate('/devices'), true, { left: true, asked: 1 }],
  [
    'another page, and thinking better of it',
    navigate('/devices'),
    false,
    { left: false, asked: 1 },
  ],
  [
    'the same page at another level',
    navigate('/guard?level=agent'),
    false,
    { left: true, asked: 0 },
  ],
  ['another document', navigate('/docs', false), false, { left: true, asked: 0 }],
  ['where it cannot be stopped', navigate('/runs', true, false), false, { left: true, asked: 0 }],
  ['for good', close(), true, { left: false, asked: 0 }],
])('leaving for %s', (_, event, answer, outcome) => expect(leave(event, answer)).toEqual(outcome));

test.each([
  ['another page', navigate('/devices')],
  ['for good', close()],
])('once all is saved, leaving for %s is not asked about', (_, event) =>
  expect(leave(event, false, true)).toEqual({ left: true, asked: 0 }),
);
