/** The package names in a whitespace-separated list. */
export const namesIn = (list: string): readonly string[] => list.trim().split(/\s+/);

/** The catalog id for a package name. */
export const idOfPackage = (registry: string, name: string): string =>
  `${registry}-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`;

/** The publisher: the scope of the package name, or the name itself if it has no scope. */
export const publisherOf = (name: string): string =>
  name.startsWith('@') ? name.slice(1, name.indexOf('/')) : name;
