const DOWNLOAD = String.raw`\b(?:curl|wget|fetch|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)`;
const INTERPRETER = '(?:sh|bash|zsh|dash|python3?|node|perl|ruby|pwsh|iex|Invoke-Expression)';
const SUDO = String.raw`(?:sudo\s+(?:-\w+\s+)*)?`;

const patterns: readonly RegExp[] = [
  // curl https://… | tee copy | sudo bash
  new RegExp(
    String.raw`${DOWNLOAD}\s+[^\s|](?:(?!&&)[^;\n]){0,500}\|\s*${SUDO}(?:\w+=\S*\s+)*(?:[\w.~/-]*/)?${INTERPRETER}\b`,
  ),
  // curl https://… -o /tmp/i && sh /tmp/i
  new RegExp(
    String.raw`${DOWNLOAD}(?=\s)[^|;&\n]{0,500}?(?:\s-[a-zA-Z]*[oO]|--output(?:-document)?|-OutFile|>)[\s=]*["']?([\w.~/$-]{2,100})(?=["'\s;&])[^\n]{0,300}?(?:&&|;|\n)(?:[^\n]{0,200}(?:&&|;))?\s*(?:${SUDO}(?:${INTERPRETER}|source|\.)\s+(?:-\w+\s+)*|chmod\s+\S*[x75]\S*\s+|${SUDO}(?:\./)?)["']?\1(?![\w.-])`,
  ),
  // sh <(curl …), eval "$(curl …)"
  /\b(?:sh|bash|zsh|eval|source)\b.*(?:\$\(|<\(|`)\s*(?:curl|wget)\b/,
  // iex (irm …)
  /\b(?:iex|Invoke-Expression)\b.{0,100}\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b/i,
  // python -c "exec(urlopen(…).read())"
  /\bexec\(.{0,200}\burlopen\(/,
];

/** Whether commands download something and run it. Two lines may be one after the other. */
export const downloadsAndRuns = (lines: string): boolean =>
  patterns.some((pattern) => pattern.test(lines));
