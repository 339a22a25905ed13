import { pathTo } from '../path-id.ts';

interface Identified {
  id: string;
  dataset_id: string;
}

/** URL of an experiment's page, optionally compared with another experiment. */
export function pathOfExperiment({ id, dataset_id }: Identified, other?: string): string {
  const query = { dataset: dataset_id, ...(other !== undefined && { other }) };
  return `${pathTo('experiments', id)}?${new URLSearchParams(query).toString()}`;
}
