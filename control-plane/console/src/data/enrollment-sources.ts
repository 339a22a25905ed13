import type { AppSettings } from '#contract/app-settings.ts';
import type { EnrollmentSettings } from '#contract/enrollment.ts';
import { api } from './api.ts';
import type { Source } from './query.ts';

export const enrollmentSettings = (): Source<EnrollmentSettings> => ({
  key: 'enrollment settings',
  topics: [],
  load: (signal) => api.enrollment.getEnrollmentSettings(undefined, { signal }),
});

export const appSettings = (): Source<AppSettings> => ({
  key: 'app settings',
  topics: [],
  load: (signal) => api.appSettings.getAppSettings(undefined, { signal }),
});
