// Ids of the sidebar's views, written once.

export const views = { service: 'hexlens.service', addresses: 'hexlens.addresses' } as const;
