/** The model's id, an inference profile or the ARN of one, as `/model/{id}/converse` names it. */
export function modelInPath(path: string): string | null {
  const [, id] = /\/model\/([^/]+)\//.exec(path) ?? [];
  if (id === undefined) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
