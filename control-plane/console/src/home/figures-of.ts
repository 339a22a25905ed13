import type { Activity } from '../data/overview-sources.ts';
import {
  formatCount,
  formatDuration,
  formatMany,
  formatMoneyInShort,
  formatPercent,
  NONE,
} from '../format.ts';
import { changeInPoints, changeOf, changeOfDuration } from './change.ts';
import type { Figure } from './figure-card.tsx';

/** The cards of a period. */
export function figuresOf(activity: Activity): Figure[] {
  const since = new URLSearchParams({ start: activity.period.start }).toString();
  return [...recordedFigures(activity, since), ...figuresOfNow(activity, since)];
}

function recordedFigures(activity: Activity, since: string): Figure[] {
  const { figures: now, previous_figures: before, course } = activity;
  const slow = now.duration_p95 === null ? [] : [now.duration_p50, now.duration_p95];
  return [
    {
      name: 'Spend',
      to: `/llm-calls?sort=-cost&${since}`,
      value: formatMoneyInShort(now.cost),
      note: formatMany(now.calls, 'LLM call'),
      change: changeOf(now.cost, before.cost, { up: 'more', down: 'less' }),
      course: course.map(({ cost }) => cost),
    },
    {
      name: 'Runs',
      to: `/runs?${since}`,
      value: formatCount(now.runs),
      note: `${formatCount(now.running)} running`,
      change: changeOf(now.runs, before.runs, { up: 'more', down: 'fewer' }),
      course: course.map(({ runs }) => runs),
    },
    {
      name: 'Error rate',
      to: `/runs?status=error&${since}`,
      value: now.error_rate === null ? NONE : formatPercent(now.error_rate * 100),
      note: `${formatMany(now.errors, 'run')} with an error`,
      change: changeInPoints(now.error_rate, before.error_rate),
      course: course.map(({ error_rate }) => error_rate),
    },
    {
      name: 'Duration p50, p95',
      to: `/runs?${since}`,
      value: slow.map((ms) => formatDuration(ms ?? 0)).join(', ') || NONE,
      note: `of ended runs, within ${formatPercent(activity.duration_precision * 100).replace('.0', '')}`,
      change: withName('p95', changeOfDuration(now.duration_p95, before.duration_p95)),
      course: course.map(({ duration_p95 }) => duration_p95),
    },
  ];
}

const withName = (name: string, change: Figure['change']): Figure['change'] => ({
  ...change,
  text: `${name}: ${change.text}`,
});

function figuresOfNow(activity: Activity, since: string): Figure[] {
  const { figures: now, previous_figures: before, course, devices } = activity;
  const raised = (count: number, earlier: number, what: string): Figure['change'] => ({
    text: `${formatCount(count)} ${what}, ${formatCount(earlier)} before`,
    tone: 'neutral',
  });
  return [
    {
      name: 'Blocked',
      to: `/incidents?action=block&${since}`,
      value: formatCount(now.blocked),
      note: 'runs, checks and apps',
      change: changeOf(now.blocked, before.blocked, { up: 'more', down: 'fewer' }),
      course: course.map(({ blocked }) => blocked),
    },
    {
      name: 'Open incidents',
      to: '/incidents?status=open',
      value: formatCount(activity.incidents.open),
      note: 'now',
      change: raised(now.incidents, before.incidents, 'raised'),
      course: course.map(({ incidents }) => incidents),
    },
    {
      name: 'Waiting approvals',
      to: '/approvals?status=pending',
      value: formatCount(activity.approvals.pending),
      note: 'now',
      change: raised(now.approvals, before.approvals, 'requested'),
      course: course.map(({ approvals }) => approvals),
    },
    {
      name: 'Devices with problems',
      to: '/devices?problems=true',
      value: formatCount(devices.with_problems),
      note: 'now',
      change: { text: `of ${formatMany(devices.active, 'active device')}`, tone: 'neutral' },
    },
  ];
}
