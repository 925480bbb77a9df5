// Ids of the sidebar's views, written once.

export const viewIds = { service: 'hexlens.service', addresses: 'hexlens.addresses' } as const;
