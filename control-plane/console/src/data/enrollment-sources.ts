import type { EnrollmentSettings } from '#contract/enrollment.ts';
import { api } from './api.ts';
import type { Source } from './query.ts';

export const enrollmentSettings = (): Source<EnrollmentSettings> => ({
  key: 'enrollment settings',
  topics: [],
  load: (signal) => api.enrollment.getEnrollmentSettings(undefined, { signal }),
});
