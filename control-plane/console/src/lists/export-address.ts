/** The address of a file with the rows of a list: its route with these query parameters. */
export function exportAddress(
  path: string,
  query: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) params.append(name, String(one));
  return `${path}?${params}`;
}
