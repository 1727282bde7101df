/** The members who work on orders, and the tags in use. */
import type { ListOrderStaffItem } from '@souk/client';
import { useLoad } from '../../parts/load.ts';
import { souk } from '../../shell/session.ts';

export type Member = ListOrderStaffItem;

export function useStaff(): readonly Member[] {
  const { data } = useLoad('order staff', async (signal) => (await souk.orders.listStaff({ signal }).page()).items);
  return data ?? [];
}

export function useOrderTags(): readonly string[] {
  const { data } = useLoad('order tags', async (signal) => (await souk.orders.listTags({ signal }).page()).items);
  return (data ?? []).map(({ tag }) => tag);
}
