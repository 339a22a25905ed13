import { t } from '@lingui/core/macro';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';

export interface SettingsPage {
  to: string;
  name: string;
  /** Whether a user may open the page; by default every user may. */
  opensFor?: (user: User) => boolean;
}

/** The pages of the settings, in the order of their links. */
const settingsPages: readonly SettingsPage[] = [
  { to: '/settings/members', name: t`Members`, opensFor: mayAdminister },
  { to: '/settings/sign-in', name: t`Sign-in`, opensFor: mayAdminister },
  { to: '/settings/api-keys', name: t`API keys`, opensFor: mayAdminister },
  { to: '/settings/tenants', name: t`Sub-tenants`, opensFor: mayAdminister },
  { to: '/settings/masking', name: t`Masking` },
  { to: '/settings/retention', name: t`Retention` },
  { to: '/settings/prices', name: t`Model prices` },
  { to: '/settings/opentelemetry', name: t`OpenTelemetry` },
  { to: '/settings/limits', name: t`End-user limits`, opensFor: mayAdminister },
  { to: '/settings/authorities', name: t`Authorities` },
  { to: '/settings/add-ons', name: t`Add-ons`, opensFor: mayAdminister },
  { to: '/settings/appearance', name: t`Appearance` },
];

/** The pages that the user may open. */
export const settingsPagesFor = (user: User): SettingsPage[] =>
  settingsPages.filter(({ opensFor }) => opensFor?.(user) ?? true);
