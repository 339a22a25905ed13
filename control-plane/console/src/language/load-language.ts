import { readDisplay, SYSTEM } from '../display.ts';
import { catalogs, languages, chooseLanguage, PSEUDO } from './languages.ts';
import { compileWith, i18n } from './i18n.ts';

/**
 * Loads the chosen language. Must run before any other module is evaluated, because constants
 * contain texts too. A change of the language reloads the page.
 */
export async function loadLanguage(): Promise<void> {
  const { language: chosen } = readDisplay();
  const wanted = chosen === SYSTEM ? navigator.languages : [chosen];
  const language = chooseLanguage(wanted, [...languages, PSEUDO]);
  document.documentElement.lang = language;
  if (language === PSEUDO) {
    const { compilePseudo } = await import('./pseudo.ts');
    compileWith(compilePseudo);
    i18n.loadAndActivate({ locale: PSEUDO, messages: {} });
  }
  const load = catalogs[language];
  if (load) i18n.loadAndActivate({ locale: language, messages: (await load()).messages });
}
