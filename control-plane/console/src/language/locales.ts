import { i18n } from './i18n.ts';
import { ENGLISH } from './languages.ts';

const { locale } = i18n;

/** English is written with American numbers and British dates. */
export const numberLocale = locale === ENGLISH ? 'en-US' : locale;
export const dateLocale = locale === ENGLISH ? 'en-GB' : locale;
