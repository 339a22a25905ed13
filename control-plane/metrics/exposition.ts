export interface Sample {
  /** The suffix of the metric's name, such as `_bucket` for a histogram. */
  suffix?: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Formats metrics in Prometheus text format, version 0.0.4. */
export const exposition = (metrics: readonly Metric[]): string => metrics.flatMap(linesOf).join('');

const linesOf = ({ name, help, type, samples }: Metric): string[] => [
  `# HELP ${name} ${help.replace(/[\\\n]/g, escaped)}\n# TYPE ${name} ${type}\n`,
  ...samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsOf(labels)} ${value}\n`,
  ),
];

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

const escaped = (letter: string): string => (letter === '\n' ? '\\n' : `\\${letter}`);
