import { createRecordResponses } from '../../../shared/records/record-responses.ts';
import { Collection, completePlan, ListedCollection, ListedPublicCollection, PublicCollection } from './schemas.ts';

/** Plans that were stored without a description or features get them here. */
export const showCollection = (collection: Collection): Collection => ({
  ...collection,
  plans: collection.plans.map(completePlan),
});

export const createCollectionResponses = () =>
  createRecordResponses<Collection>(
    {
      'member record': Collection,
      'member item': ListedCollection,
      'public record': PublicCollection,
      'public item': ListedPublicCollection,
    },
    showCollection,
  );
