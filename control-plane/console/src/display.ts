/** Display settings, stored in this browser for all users who sign in with it. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

export interface Display {
  theme: Theme;
  /** `local`, `utc`, or a name such as `Europe/Paris`. */
  timeZone: string;
  density: Density;
  /** `system`, or the code of a language such as `de`. */
  language: string;
}

/** Value of the language setting that selects the browser's language. */
export const SYSTEM = 'system';

const KEY = 'gatehouse.display';
const listeners = new Set<() => void>();
let display: Display = read();
apply();

export const readDisplay = (): Display => display;

export function subscribeDisplay(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function changeDisplay(changes: Partial<Display>): void {
  display = { ...display, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(display));
  } catch {
    // The browser does not allow storage: the setting lasts until the page is closed.
  }
  apply();
  for (const listener of listeners) listener();
}

/** Name of the time zone in which times are shown, such as `Europe/Paris`. */
export function zoneName(): string {
  if (display.timeZone === 'local') return localZone();
  return display.timeZone === 'utc' ? 'UTC' : display.timeZone;
}

export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All time zones that this browser supports. */
export function zoneNames(): readonly string[] {
  return Intl.supportedValuesOf('timeZone');
}

function read(): Display {
  const kept = parse(stored());
  return {
    theme: themes.find((one) => one === kept.theme) ?? 'system',
    timeZone: knownZone(kept.timeZone) ?? 'local',
    density: densities.find((one) => one === kept.density) ?? 'comfortable',
    language: typeof kept.language === 'string' ? kept.language : SYSTEM,
  };
}

/** Validates a stored time zone: this browser may not support one that another browser stored. */
function knownZone(kept: unknown): string | undefined {
  if (kept === undefined || kept === 'utc' || kept === 'local') return kept;
  return zoneNames().find((one) => one === kept);
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function parse(text: string | null): Record<string, unknown> {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Sets the theme and density on the root element. The style sheets contain the colours of both
 * themes and choose by `color-scheme`.
 */
function apply(): void {
  if (typeof document === 'undefined') return;
  const { dataset } = document.documentElement;
  if (display.theme === 'system') delete dataset.theme;
  else dataset.theme = display.theme;
  if (display.density === 'comfortable') delete dataset.density;
  else dataset.density = display.density;
}
