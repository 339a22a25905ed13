import type { Category } from '../category.ts';

/** What recorded runs cannot tell of a policy of this category, a sentence each. */
export function notesOf(
  category: Category,
  { unread, leftOut, truncated }: { unread: number; leftOut: number; truncated: boolean },
): string[] {
  const { phases, reads = [] } = category;
  const asksBefore = phases.includes('before_workflow');
  const notes: [boolean, string][] = [
    [truncated, 'There were more runs than are examined: only the oldest of them were.'],
    [
      asksBefore,
      'Of what agents told before they started only the inputs are recorded: models, tools, actions and costs that they announced are not known.',
    ],
    [true, 'Runs that other policies refused were never recorded.'],
    [
      category.stateOf !== undefined || reads.includes('today'),
      'What was counted before the first examined run is not known: counters begin at zero.',
    ],
    [reads.includes('approval'), 'Nobody approves anything here: whatever needs approval waits.'],
    [
      phases.includes('mid_execution'),
      'What was recorded on a run is looked at once, when the last of it came; of each run the first 50 calls and tools, and of each text the first 4,096 characters.',
    ],
    [
      unread > 0,
      `The inputs of ${unread} runs are longer than 16,384 characters and were not looked at.`,
    ],
    [
      leftOut > 0,
      `So many runs went on at the same time that the texts of ${leftOut} were not looked at.`,
    ],
  ];
  return notes.flatMap(([holds, note]) => (holds ? [note] : []));
}
