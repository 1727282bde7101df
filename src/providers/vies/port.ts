export type VatIds = {
  /** Whether the VAT ID is registered. Throws `CallFailed` if that can't be checked now. */
  check(businessId: string, vatId: string): Promise<boolean>;
};
