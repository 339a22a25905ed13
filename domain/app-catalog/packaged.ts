/** The words of a list of package names. */
export const namesIn = (list: string): readonly string[] => list.trim().split(/\s+/);

/** An id of the catalog that a package's name makes. */
export const idOfPackage = (registry: string, name: string): string =>
  `${registry}-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`;

/** Who publishes it: the scope of the name, the project itself where there is none. */
export const publisherOf = (name: string): string =>
  name.startsWith('@') ? name.slice(1, name.indexOf('/')) : name;
