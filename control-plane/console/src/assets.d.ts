declare module '*.svg' {
  const url: string;
  export default url;
}

declare module '*.css' {}

interface ImportMeta {
  /**
   * Provided by Vite: the modules that match the patterns, each loaded when its function is called.
   */
  glob<T>(patterns: readonly string[]): Record<string, () => Promise<T>>;
}
