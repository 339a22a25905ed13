import type { Category } from '../category.ts';

/** Returns the limitations of a simulation with this category, one sentence each. */
export function caveatsOf(
  category: Category,
  { unread, leftOut, truncated }: { unread: number; leftOut: number; truncated: boolean },
): string[] {
  const { phases, reads = [] } = category;
  const hasStartPhase = phases.includes('before_workflow');
  const notes: [boolean, string][] = [
    [truncated, 'There are more runs than a simulation examines: only the oldest were examined.'],
    [
      hasStartPhase,
      'Only the inputs of pre-run checks are recorded; announced models, tools, actions and costs cannot be replayed.',
    ],
    [true, 'Runs refused by other policies were never recorded.'],
    [
      category.stateOf !== undefined || reads.includes('today'),
      'Counters start at zero: usage before the first examined run is not known.',
    ],
    [
      reads.includes('approval'),
      'Nothing is approved in a simulation: whatever needs approval stays pending.',
    ],
    [
      phases.includes('mid_execution'),
      'The telemetry of a run is evaluated once, at the time of its last record: the first 50 calls and tools of each run, and the first 4,096 characters of each text.',
    ],
    [
      unread > 0,
      `The inputs of ${unread} runs are longer than 16,384 characters and were not evaluated.`,
    ],
    [leftOut > 0, `Too many runs overlapped: the texts of ${leftOut} were not evaluated.`],
  ];
  return notes.flatMap(([holds, note]) => (holds ? [note] : []));
}
