import { ApiError } from '#contract/errors.ts';
import type { serviceRoutes } from '#contract/service.ts';
import type { Handlers } from './call.ts';
import { answers } from '../storage/queries.ts';
import { version } from '../version.ts';

export const serviceHandlers: Handlers<typeof serviceRoutes> = {
  healthz: () => ({ status: 'ok', version }),

  async readyz(context) {
    if (!(await answers(context.storage.db)))
      throw new ApiError('unavailable', 'the database does not answer');
    return { status: 'ok' };
  },
};
