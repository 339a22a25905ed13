import type { Rule } from './rule.ts';

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const bit = { type: 'integer', oneOf: [0, 1] } as const;
export const required = <const R extends Rule>(rule: R): R & { required: true } => ({
  ...rule,
  required: true,
});
export const list = <const R extends Rule>(of: R) => ({ type: 'array', of }) as const;

export const uuid = {
  type: 'string',
  like: /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/i,
} as const;
