import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';

export interface SettingsPage {
  to: string;
  name: string;
  /** Default: every user. */
  opensFor?: (user: User) => boolean;
}

/** The pages of the settings, in the order of their links. */
const settingsPages: readonly SettingsPage[] = [
  { to: '/settings/members', name: 'Members', opensFor: mayAdminister },
  { to: '/settings/sign-in', name: 'Sign-in', opensFor: mayAdminister },
  { to: '/settings/api-keys', name: 'API keys', opensFor: mayAdminister },
  { to: '/settings/tenants', name: 'Sub-tenants', opensFor: mayAdminister },
  { to: '/settings/masking', name: 'Masking' },
  { to: '/settings/retention', name: 'Retention' },
  { to: '/settings/prices', name: 'Model prices' },
  { to: '/settings/limits', name: 'End-user limits', opensFor: mayAdminister },
  { to: '/settings/authorities', name: 'Authorities' },
  { to: '/settings/add-ons', name: 'Add-ons', opensFor: mayAdminister },
  { to: '/settings/appearance', name: 'Appearance' },
];

/** The pages that this user may open. */
export const settingsPagesFor = (user: User): SettingsPage[] =>
  settingsPages.filter(({ opensFor }) => opensFor?.(user) ?? true);
