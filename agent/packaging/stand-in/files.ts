import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'plist';

export type Content = string | Buffer;

/** Writes what a stand-in consists of, below one folder. */
export function filesIn(folder: string) {
  const place = (path: string): string => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    return whole;
  };
  return {
    file: (path: string, content: Content): void => writeFileSync(place(path), content),
    program: (path: string, content: Content): void =>
      writeFileSync(place(path), content, { mode: 0o755 }),
    link: (path: string, target: string): void => symlinkSync(target, place(path)),
    infoPlist: (path: string, info: Record<string, string | boolean>): void =>
      writeFileSync(place(path), `${build(info)}\n`),
  };
}
