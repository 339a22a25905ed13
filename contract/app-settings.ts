import { z } from 'zod';
import { routes } from './route.ts';

/** One line of text, displayed to users of devices. */
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
    .meta({ description: 'contact for questions about the app', examples: ['IT service desk'] }),
  contact_address: line(200)
    .nullable()
    .meta({
      description: 'address of the contact: an email address, a telephone number or a URL',
      examples: ['it-help@example.com'],
    }),
  newest_version: z
    .string()
    .max(50)
    .regex(/^\d+(\.\d+){1,3}$/, 'expected a version such as 1.4.0')
    .nullable()
    .meta({
      description: 'newest version of the app installed by device management',
      examples: ['1.4.0'],
    }),
});
export type AppSettings = z.output<typeof appSettings>;

/**
 * The settings as sent to devices. They are not strict, so that later control planes can add
 * fields.
 */
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
    summary: 'Settings displayed by the app on devices: contact and newest version',
    response: appSettings,
  },
  putAppSettings: {
    ...admin,
    method: 'PUT',
    summary: 'Replace the app settings; devices get them immediately',
    body: appSettings,
    response: appSettings,
  },
});
