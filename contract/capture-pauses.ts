import { z } from 'zod';
import { pastTime, timestamp } from './fields.ts';
import { MAX_PAUSE_MINUTES } from './guard.ts';

/** A pause of capture by the user of a device, as reported by the device. */
export const capturePause = z.strictObject({
  id: z.string().min(1).max(64),
  user: z.string().max(256).meta({ description: 'user who paused capture' }),
  started_at: pastTime,
  minutes: z
    .int()
    .min(1)
    .max(MAX_PAUSE_MINUTES)
    .meta({ description: 'duration after which it ends automatically' }),
  ended_at: pastTime.nullable().meta({ description: 'null while it is active' }),
  ended_by: z
    .enum(['time', 'person', 'permission', 'clock'])
    .nullable()
    .meta({
      description:
        'time: it expired; person: the user resumed; permission: an admin withdrew it; clock: the ' +
        'device restarted or its clock was set, so the remaining time was unknown',
    }),
});
export type CapturePause = z.output<typeof capturePause>;

const { user, minutes, ended_by } = capturePause.shape;

/** A pause as returned by the API. */
export const pauseRecord = z.object({
  id: z.string(),
  user,
  started_at: timestamp,
  ends_at: timestamp.meta({ description: 'when it ends automatically, at the latest' }),
  minutes,
  ended_at: timestamp.nullable(),
  ended_by,
});

/** The current pause of a device. */
export const currentPause = pauseRecord.pick({ user: true, started_at: true, ends_at: true });
