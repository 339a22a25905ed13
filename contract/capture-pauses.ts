import { z } from 'zod';
import { pastTime, timestamp } from './fields.ts';
import { LONGEST_PAUSE_MINUTES } from './guard.ts';

/** A time for which the person at a device paused capture, as the device reports it. */
export const capturePause = z.strictObject({
  id: z.string().min(1).max(64),
  user: z.string().max(256).meta({ description: 'who paused it' }),
  started_at: pastTime,
  minutes: z
    .int()
    .min(1)
    .max(LONGEST_PAUSE_MINUTES)
    .meta({ description: 'after so many it ends by itself' }),
  ended_at: pastTime.nullable().meta({ description: 'null while it lasts' }),
  ended_by: z
    .enum(['time', 'person', 'permission', 'clock'])
    .nullable()
    .meta({
      description:
        'time: it was over; person: resumed by hand; permission: an admin withdrew it; clock: the ' +
        'computer was started again, or its clock was set, so that the time left was not known',
    }),
});
export type CapturePause = z.output<typeof capturePause>;

const { user, minutes, ended_by } = capturePause.shape;

/** As it is shown. */
export const shownPause = z.object({
  id: z.string(),
  user,
  started_at: timestamp,
  ends_at: timestamp.meta({ description: 'when it ends by itself, at the latest' }),
  minutes,
  ended_at: timestamp.nullable(),
  ended_by,
});

/** One that lasts. */
export const currentPause = shownPause.pick({ user: true, started_at: true, ends_at: true });
