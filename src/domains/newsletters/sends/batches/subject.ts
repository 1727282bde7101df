export const DELIVER = 'newsletter-send';

/** Publishing this subject wakes the workers for the running sends of a business. */
export const deliveringSubject = (businessId: string) => `${DELIVER}:${businessId}`;
