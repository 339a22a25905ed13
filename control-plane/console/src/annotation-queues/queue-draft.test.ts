import { expect, test } from 'vitest';
import type { AnnotationQueue, ScoreConfig } from '../data/annotation-queue-sources.ts';
import { bodyOf, draftOf, emptyConfig, emptyQueue } from './queue-draft.ts';

const common = { description: 'd', required: false };
const scores: ScoreConfig[] = [
  { ...common, name: 'quality', data_type: 'numeric', min: -1.5, max: 0 },
  { ...common, name: 'open', data_type: 'numeric', min: null, max: null },
  { ...common, name: 'polite', data_type: 'boolean' },
  { ...common, name: 'tone', data_type: 'categorical', values: ['warm', 'cold'] },
];
const queue: AnnotationQueue = {
  id: 'anq_1',
  name: 'Queue',
  description: 'about',
  instructions: '# Read',
  scores,
  progress: { pending: 0, completed: 0, skipped: 0 },
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-01T10:00:00.000Z',
};

test('a queue that is edited without a change stays as it is', () => {
  const { name, description, instructions } = queue;
  expect(bodyOf(draftOf(queue))).toEqual({ name, description, instructions, scores });
});

test('categories are the lines that are not empty', () => {
  const draft = { ...emptyConfig, data_type: 'categorical' as const, values: ' a \n\nb c\n' };
  expect(bodyOf({ ...emptyQueue, scores: [draft] }).scores).toMatchObject([
    { values: ['a', 'b c'] },
  ]);
});

test('values typed for another type are omitted', () => {
  const draft = { ...emptyConfig, data_type: 'boolean' as const, min: '1', values: 'a' };
  expect(bodyOf({ ...emptyQueue, scores: [draft] }).scores).toEqual([
    { name: '', data_type: 'boolean', description: '', required: true },
  ]);
});
