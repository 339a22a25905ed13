import { z } from 'zod';
import { count, page, paging } from './fields.ts';
import { incident, incidentStatus } from './incidents.ts';
import { addOnCodes, routes } from './route.ts';

export const region = z.object({
  code: z.string(),
  name: z.string(),
  price_cents: count.meta({ description: 'US cents per month' }),
  compliance: z.array(z.string()),
});
export type Region = z.output<typeof region>;

export const addOn = z.object({
  code: z.enum(addOnCodes),
  name: z.string(),
  description: z.string(),
  price_cents: count.meta({ description: 'US cents per month' }),
  status: z.enum(['available', 'active']),
});

/** An incident with its tenant. */
const complianceIncident = incident.extend({ tenant_id: z.string(), tenant_name: z.string() });

const common = { auth: 'admin', errors: 'coded' } as const;
const addOns = z.object({ add_ons: z.array(addOn) });

export const enterpriseRoutes = routes({
  listRegions: {
    ...common,
    method: 'GET',
    path: '/svc/v1/regions/',
    summary: 'Regions in which data may reside',
    response: z.object({ regions: z.array(region) }),
  },
  getTenantRegion: {
    ...common,
    method: 'GET',
    path: '/svc/v1/tenant/region/',
    summary: 'The region of this tenant: its own, else that of its parent',
    response: z.object({ region }),
  },
  setTenantRegion: {
    ...common,
    method: 'POST',
    path: '/svc/v1/tenant/region/',
    summary: 'Set the region of this tenant',
    body: z.strictObject({ region_code: z.string() }),
    response: z.object({ region }),
  },
  listAddOns: {
    ...common,
    method: 'GET',
    path: '/svc/v1/add-ons/',
    summary: 'List all add-ons with their status',
    response: addOns,
  },
  listTenantAddOns: {
    ...common,
    method: 'GET',
    path: '/svc/v1/tenant/add-ons/',
    summary: 'List the active add-ons of this tenant',
    response: addOns,
  },
  activateAddOn: {
    ...common,
    method: 'POST',
    path: '/svc/v1/tenant/add-ons/',
    summary: 'Activate an add-on; returns the active ones',
    errorStatuses: [404],
    body: z.strictObject({ add_on_code: z.string() }),
    response: addOns,
  },
  cancelAddOn: {
    ...common,
    method: 'DELETE',
    path: '/svc/v1/tenant/add-ons/{add_on_code}/',
    summary: 'Cancel an add-on; returns the remaining active ones',
    params: z.object({ add_on_code: z.string() }),
    response: addOns,
  },
  listComplianceIncidents: {
    ...common,
    method: 'GET',
    path: '/svc/v1/compliance/incidents/',
    summary:
      'List incidents of this tenant and its descendants, newest first; requires the insights add-on',
    addOn: 'insights',
    errorStatuses: [404],
    query: z.object({
      sub_tenant_id: z.string().optional(),
      status: incidentStatus.optional(),
      category: z.string().optional(),
      ...paging,
    }),
    response: page(complianceIncident),
  },
});
