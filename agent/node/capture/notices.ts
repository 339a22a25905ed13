export interface Notices {
  add: (line: string) => void;
  clear: () => void;
}

/** The latest different lines, each once: what an administrator should know of what is not captured. */
export function createNotices(onChange: (lines: string[]) => void, most = 10): Notices {
  const lines = new Set<string>();
  return {
    add: (line) => {
      if (lines.has(line)) return;
      lines.add(line);
      const [oldest] = lines;
      if (lines.size > most && oldest !== undefined) lines.delete(oldest);
      onChange([...lines]);
    },
    clear: () => {
      lines.clear();
      onChange([]);
    },
  };
}
