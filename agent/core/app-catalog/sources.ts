/** Public pages that name packages and ids. */
export const cask = (token: string): string => `https://formulae.brew.sh/cask/${token}`;
export const formula = (name: string): string => `https://formulae.brew.sh/formula/${name}`;
export const npm = (name: string): string => `https://www.npmjs.com/package/${name}`;
export const pypi = (name: string): string => `https://pypi.org/project/${name}/`;
export const crate = (name: string): string => `https://docs.rs/crate/${name}`;
export const github = (repository: string): string => `https://github.com/${repository}`;
export const marketplace = (id: string): string =>
  `https://marketplace.visualstudio.com/items?itemName=${id}`;
