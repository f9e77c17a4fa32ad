export const useStockSdk = true;
