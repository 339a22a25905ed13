import './strict-csp.ts';
import './display.ts';
import { loadLanguage } from './language/load-language.ts';
import './styles/index.css';

await loadLanguage();
// Loaded only now: zod must be configured before any schema is created, the theme before anything
// is drawn, and the language before any text is read.
const { start } = await import('./start.tsx');
start();
