declare module '*.svg' {
  const url: string;
  export default url;
}

declare module '*.css' {}

interface ImportMeta {
  /** Of Vite: the modules that match, each loaded when it is called. */
  glob<T>(patterns: readonly string[]): Record<string, () => Promise<T>>;
}
