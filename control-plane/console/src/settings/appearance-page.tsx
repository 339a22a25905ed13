import { useSyncExternalStore } from 'react';
import { changeDisplay, densities, readDisplay, subscribeDisplay, themes } from '../display.ts';
import type { Density, Theme } from '../display.ts';
import { formatExact } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import { useNow } from '../parts/clock.tsx';
import { Page } from '../parts/page.tsx';
import { TimeZoneField } from './time-zone-field.tsx';
import './appearance-page.css';

const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };
const densityNames: Record<Density, string> = { comfortable: 'Comfortable', compact: 'Compact' };

/** Display settings of this browser. They apply at once. */
export function AppearancePage() {
  const { theme, density } = useSyncExternalStore(subscribeDisplay, readDisplay);
  return (
    <Page title="Appearance">
      <section className="card appearance" aria-label="Appearance">
        <span>Theme</span>
        <Choice
          label="Theme"
          options={themes.map((id) => ({ id, name: themeNames[id] }))}
          value={theme}
          onChange={(theme) => changeDisplay({ theme })}
        />
        <span>Density of tables</span>
        <Choice
          label="Density of tables"
          options={densities.map((id) => ({ id, name: densityNames[id] }))}
          value={density}
          onChange={(density) => changeDisplay({ density })}
        />
        <span>Time zone</span>
        <TimeZoneField />
        <span>Now</span>
        <Now />
        <p className="hint">
          This browser keeps these settings. Days in charts and quotas are always in UTC.
        </p>
      </section>
    </Page>
  );
}

const Now = () => <span>{formatExact(useNow())}</span>;
