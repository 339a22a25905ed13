import { t } from '@lingui/core/macro';
import { changeDisplay, readDisplay, SYSTEM } from '../display.ts';
import { languages } from './catalogs.ts';

/** Each language by its own name. */
const nameOf = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;

/** The language of the console. The texts of constants are read once, so the page is loaded again. */
export const LanguageField = () => (
  <select
    className="field"
    aria-label={t`Language`}
    value={readDisplay().language}
    onChange={({ target }) => {
      changeDisplay({ language: target.value });
      location.reload();
    }}
  >
    <option value={SYSTEM}>{t`As the browser`}</option>
    {languages.map((language) => (
      <option key={language} value={language} lang={language}>
        {nameOf(language)}
      </option>
    ))}
  </select>
);
