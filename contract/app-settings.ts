import { z } from 'zod';
import { routes } from './route.ts';

/** One line, as it is shown to the people at devices. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .regex(
      /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u,
      'expected text without control characters, line breaks or direction marks',
    );

export const appSettings = z.strictObject({
  contact: line(200)
    .nullable()
    .meta({ description: 'whom people ask about the app', examples: ['IT service desk'] }),
  contact_address: line(200)
    .nullable()
    .meta({
      description: 'where they ask: an e-mail address, a telephone number or a web address',
      examples: ['it-help@example.com'],
    }),
  newest_version: z
    .string()
    .max(50)
    .regex(/^\d+(\.\d+){1,3}$/, 'expected a version such as 1.4.0')
    .nullable()
    .meta({
      description: 'the newest version of the app that device management installs',
      examples: ['1.4.0'],
    }),
});
export type AppSettings = z.output<typeof appSettings>;

/** As devices are told. Not strict: what a later control plane adds is no reason to refuse it. */
export const appNotes = z.object(appSettings.shape);
export type AppNotes = z.output<typeof appNotes>;

export const defaultAppSettings: AppSettings = {
  contact: null,
  contact_address: null,
  newest_version: null,
};

const admin = { auth: 'admin', errors: 'text', path: '/api/v1/settings/app/' } as const;

export const appSettingsRoutes = routes({
  getAppSettings: {
    ...admin,
    role: 'viewer',
    method: 'GET',
    summary: 'What the app on devices tells its people: whom to ask, and the newest version',
    response: appSettings,
  },
  putAppSettings: {
    ...admin,
    method: 'PUT',
    summary: 'Replace it; devices are told at once',
    body: appSettings,
    response: appSettings,
  },
});
