import { createContext, useContext } from 'react';
import { createTranslator, type Translator } from '../messages/translator.ts';

/** The translator until the app has sent its locale. */
export const defaultTranslator = createTranslator('en-GB');

export const TranslatorContext = createContext<Translator>(defaultTranslator);

export const useTranslator = (): Translator => useContext(TranslatorContext);
