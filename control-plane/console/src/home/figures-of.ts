import { plural, t } from '@lingui/core/macro';
import type { Activity } from '../data/overview-sources.ts';
import { formatCount, formatDuration, formatMoneyInShort, formatPercent, NONE } from '../format.ts';
import { changeInPoints, changeOf, changeOfDuration } from './change.ts';
import type { Figure } from './figure-card.tsx';

/** The key figures of a period. */
export function figuresOf(activity: Activity): Figure[] {
  const since = new URLSearchParams({ start: activity.period.start }).toString();
  return [...recordedFigures(activity, since), ...figuresOfNow(activity, since)];
}

function recordedFigures(activity: Activity, since: string): Figure[] {
  const { figures: now, previous_figures: before, course } = activity;
  const running = formatCount(now.running);
  const precision = formatPercent(activity.duration_precision * 100).replace(/[.,]0%/, '%');
  const slow = now.duration_p95 === null ? [] : [now.duration_p50, now.duration_p95];
  return [
    {
      name: t`Spend`,
      to: `/llm-calls?sort=-cost&${since}`,
      value: formatMoneyInShort(now.cost),
      note: plural(now.calls, { one: '# LLM call', other: '# LLM calls' }),
      change: changeOf(now.cost, before.cost, { up: 'more', down: 'less' }),
      course: course.map(({ cost }) => cost),
    },
    {
      name: t`Runs`,
      to: `/runs?${since}`,
      value: formatCount(now.runs),
      note: t`${running} running`,
      change: changeOf(now.runs, before.runs, { up: 'more', down: 'fewer' }),
      course: course.map(({ runs }) => runs),
    },
    {
      name: t`Error rate`,
      to: `/runs?status=error&${since}`,
      value: now.error_rate === null ? NONE : formatPercent(now.error_rate * 100),
      note: plural(now.errors, { one: '# run with an error', other: '# runs with an error' }),
      change: changeInPoints(now.error_rate, before.error_rate),
      course: course.map(({ error_rate }) => error_rate),
    },
    {
      name: t`Duration p50, p95`,
      to: `/runs?${since}`,
      value: slow.map((ms) => formatDuration(ms ?? 0)).join(', ') || NONE,
      note: t`of ended runs, within ${precision}`,
      change: withName('p95', changeOfDuration(now.duration_p95, before.duration_p95)),
      course: course.map(({ duration_p95 }) => duration_p95),
    },
  ];
}

const withName = (name: string, change: Figure['change']): Figure['change'] => ({
  ...change,
  text: t`${name}: ${change.text}`,
});

function figuresOfNow(activity: Activity, since: string): Figure[] {
  const { figures: now, previous_figures: before, course, devices } = activity;
  const raised = [formatCount(now.incidents), formatCount(before.incidents)] as const;
  const requested = [formatCount(now.approvals), formatCount(before.approvals)] as const;
  return [
    {
      name: t`Blocked`,
      to: `/incidents?action=block&${since}`,
      value: formatCount(now.blocked),
      note: t`runs, checks and apps`,
      change: changeOf(now.blocked, before.blocked, { up: 'more', down: 'fewer' }),
      course: course.map(({ blocked }) => blocked),
    },
    {
      name: t`Open incidents`,
      to: '/incidents?status=open',
      value: formatCount(activity.incidents.open),
      note: t`now`,
      change: { text: t`${raised[0]} raised, ${raised[1]} before`, tone: 'neutral' },
      course: course.map(({ incidents }) => incidents),
    },
    {
      name: t`Waiting approvals`,
      to: '/approvals?status=pending',
      value: formatCount(activity.approvals.pending),
      note: t`now`,
      change: { text: t`${requested[0]} requested, ${requested[1]} before`, tone: 'neutral' },
      course: course.map(({ approvals }) => approvals),
    },
    {
      name: t`Devices with problems`,
      to: '/devices?problems=true',
      value: formatCount(devices.with_problems),
      note: t`now`,
      change: {
        text: plural(devices.active, { one: 'of # active device', other: 'of # active devices' }),
        tone: 'neutral',
      },
    },
  ];
}
