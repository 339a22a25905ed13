import { t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import { changeDisplay, localZone, readDisplay, subscribeDisplay, zoneNames } from '../display.ts';

/** The zone in which the console shows every time. */
export function TimeZoneField() {
  const { timeZone } = useSyncExternalStore(subscribeDisplay, readDisplay);
  return (
    <select
      className="field"
      aria-label={t`Time zone`}
      value={timeZone}
      onChange={({ target }) => changeDisplay({ timeZone: target.value })}
    >
      <option value="local">{t`Local (${localZone()})`}</option>
      <option value="utc">UTC</option>
      {zoneNames().map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  );
}
