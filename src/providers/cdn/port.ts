/** Drops pages from a CDN. */
export type CdnPurge = {
  /** Drops every page of the business with one of these surrogate keys. Throws if the CDN did not accept the request. */
  purge(call: { id: string; businessId: string; keys: readonly string[]; nowSeconds: number }): Promise<void>;
};
