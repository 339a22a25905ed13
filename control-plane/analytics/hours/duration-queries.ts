import { type RawBuilder, sql } from 'kysely';

/** Durations with two digits: within a twentieth, and few of them. */
export function shortened(duration: RawBuilder<number>): RawBuilder<number | null> {
  const widths = [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
  const whens = widths.map((below) => {
    const width = sql.lit(below / 100);
    const half = sql.lit(below / 200);
    return sql`when ${duration} < ${sql.lit(below)} then ${duration} - ${duration} % ${width} + ${half}`;
  });
  return sql`case when ${duration} < 100 then ${duration} ${sql.join(whens, sql` `)}
    else ${duration} - ${duration} % 10000000 + 5000000 end`;
}
