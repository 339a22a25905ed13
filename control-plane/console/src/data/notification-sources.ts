import type { contract } from '#contract/index.ts';
import type { RouteRequest, RouteResponse } from '#contract/route.ts';
import { api } from './api.ts';
import { keyFor } from './load-pages.ts';
import type { LoadedList } from './load-pages.ts';
import type { Source } from './query.ts';

type Routes = (typeof contract)['notifications'];
type DeliveryQuery = RouteRequest<Routes['listDeliveries']>['query'];

export type Channel = RouteResponse<Routes['listChannels']>['results'][number];
export type NewChannel = RouteRequest<Routes['createChannel']>['body'];
export type NotificationRule = RouteResponse<Routes['listNotificationRules']>['results'][number];
export type RuleBody = RouteRequest<Routes['createNotificationRule']>['body'];
export type Delivery = RouteResponse<Routes['listDeliveries']>['results'][number];
export type DecisionRequest = RouteResponse<Routes['readDecisionLink']>;

export const channelList = (): Source<Channel[]> => ({
  key: 'notification channels',
  topics: [],
  load: async (signal) => (await api.notifications.listChannels(undefined, { signal })).results,
});

export const notificationRuleList = (): Source<NotificationRule[]> => ({
  key: 'notification rules',
  topics: [],
  load: async (signal) =>
    (await api.notifications.listNotificationRules(undefined, { signal })).results,
});

/** Polled, because deliveries are attempted in the background. */
export const deliveryList = (query: DeliveryQuery): Source<LoadedList<Delivery>> => ({
  key: keyFor('notification deliveries', query),
  topics: [],
  pollMs: 5000,
  load: (signal) => api.notifications.listDeliveries({ query }, { signal }),
});
