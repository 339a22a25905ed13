import manifest from '#sdk/manifest.json' with { type: 'json' };

/** The file names of the SDKs' packages, which the control plane serves under `/sdk/`. */
export const packageNames = {
  npm: `svc-observe-${manifest.version}.tgz`,
  /** The name of a wheel contains its tags (packaging.python.org, "Binary distribution format"). */
  wheel: `svc_observe-${manifest.version}-py3-none-any.whl`,
} as const;
