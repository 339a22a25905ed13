/** The folders of administrators' programs, which may be missing from the PATH of a service or user. */
export const SYSTEM_PATH =
  '/usr/sbin:/sbin:/usr/local/sbin:/usr/bin:/bin:/run/current-system/sw/bin';
