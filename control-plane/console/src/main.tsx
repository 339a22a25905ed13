import './strict-csp.ts';
import './display.ts';
import { loadLanguage } from './language/load-language.ts';
import './styles/index.css';

await loadLanguage();
// Imported dynamically: zod must be configured before any schema is created, the theme applied
// before the first paint, and the language loaded before any text is read.
const { start } = await import('./start.tsx');
start();
