import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFigures {
  rssMb: number;
  descriptors: number;
  sockets: number;
}

/** What a process of Linux holds now. */
export function figuresOf(pid: number): ProcessFigures {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return {
    rssMb: Math.round(Number(kilobytes) / 1024),
    descriptors: open.length,
    sockets: open.filter((target) => target.startsWith('socket:')).length,
  };
}

/** It may be closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
