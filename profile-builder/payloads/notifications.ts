import type { CheckedInput } from '../profile-input.ts';
import { commonKeys, type PlistDictionary } from './common-keys.ts';

/** Grants the notification permission that macOS would otherwise ask the user for. */
export function notificationsPayload(input: CheckedInput): PlistDictionary {
  const { appName, bundleId } = input;
  return {
    ...commonKeys(input, {
      type: 'com.apple.notificationsettings',
      name: 'notifications',
      title: `${appName} notifications`,
      description: `Lets ${appName} show quiet notifications.`,
    }),
    NotificationSettings: [
      {
        BundleIdentifier: bundleId,
        NotificationsEnabled: true,
        AlertType: 1,
        ShowInNotificationCenter: true,
        ShowInLockScreen: false,
        BadgesEnabled: false,
        SoundsEnabled: false,
        CriticalAlertEnabled: false,
      },
    ],
  };
}
