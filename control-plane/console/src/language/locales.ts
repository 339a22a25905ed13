import { i18n } from './i18n.ts';
import { ENGLISH } from './languages.ts';

const { locale } = i18n;

/** English uses American number formats and British date formats. */
export const numberLocale = locale === ENGLISH ? 'en-US' : locale;
export const dateLocale = locale === ENGLISH ? 'en-GB' : locale;
