import { visible } from '../visible.ts';

/** What others wrote: it neither reorders what stands beside it nor hides a part of itself. */
export const Text = ({ children }: { children: string }) => <bdi>{visible(children)}</bdi>;
