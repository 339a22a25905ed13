import './strict-csp.ts';
import './display.ts';
import './styles/index.css';

// Loaded only now: zod must be configured before any schema is created, and the theme before
// anything is drawn.
const { start } = await import('./start.tsx');
start();
