import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import {
  changeDisplay,
  densities,
  readDisplay,
  subscribeDisplay,
  themes,
  SYSTEM,
  localZone,
  zoneNames,
} from '../display.ts';
import type { Density, Theme } from '../display.ts';
import { formatExact } from '../format.ts';
import { languages } from '../language/languages.ts';
import { Choice } from '../parts/choice.tsx';
import { useNow } from '../parts/clock.tsx';
import { Page } from '../parts/page.tsx';
import './appearance-page.css';

const themeNames: Record<Theme, string> = { system: t`System`, light: t`Light`, dark: t`Dark` };
const densityNames: Record<Density, string> = { comfortable: t`Comfortable`, compact: t`Compact` };

/** Page with the display settings of this browser. Changes apply immediately. */
export function AppearancePage() {
  const { theme, density } = useSyncExternalStore(subscribeDisplay, readDisplay);
  return (
    <Page title={t`Appearance`}>
      <section className="card appearance" aria-label={t`Appearance`}>
        <span>
          <Trans>Theme</Trans>
        </span>
        <Choice
          label={t`Theme`}
          options={themes.map((id) => ({ id, name: themeNames[id] }))}
          value={theme}
          onChange={(theme) => changeDisplay({ theme })}
        />
        <span>
          <Trans>Density of tables</Trans>
        </span>
        <Choice
          label={t`Density of tables`}
          options={densities.map((id) => ({ id, name: densityNames[id] }))}
          value={density}
          onChange={(density) => changeDisplay({ density })}
        />
        {languages.length > 1 && (
          <>
            <span>
              <Trans>Language</Trans>
            </span>
            <LanguageField />
          </>
        )}
        <span>
          <Trans>Time zone</Trans>
        </span>
        <TimeZoneField />
        <span>
          <Trans>Now</Trans>
        </span>
        <Now />
        <p className="hint">
          <Trans>
            This browser keeps these settings. Days in charts and quotas are always in UTC.
          </Trans>
        </p>
      </section>
    </Page>
  );
}

const Now = () => <span>{formatExact(useNow())}</span>;

/** The name of a language in that language. */
const nameOf = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;

/**
 * Selection of the console's language. A change reloads the page, because constants contain texts.
 */
const LanguageField = () => (
  <select
    className="field"
    aria-label={t`Language`}
    value={readDisplay().language}
    onChange={({ target }) => {
      changeDisplay({ language: target.value });
      location.reload();
    }}
  >
    <option value={SYSTEM}>{t`Same as the browser`}</option>
    {languages.map((language) => (
      <option key={language} value={language} lang={language}>
        {nameOf(language)}
      </option>
    ))}
  </select>
);

/** Selection of the time zone in which the console shows all times. */
function TimeZoneField() {
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
