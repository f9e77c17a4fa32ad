export const metricNamespace = 'PetstoreInventory';
