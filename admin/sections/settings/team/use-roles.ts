import { useLoad } from '../../../parts/load.ts';
import { business, souk } from '../../../shell/session.ts';

const MAX_RESULTS = 500;

export const useRoles = () =>
  useLoad(`roles ${business.value?.id}`, (signal) => souk.roles.list({ limit: 100 }, { signal }).take(MAX_RESULTS));
