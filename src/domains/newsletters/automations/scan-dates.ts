import type { Platform } from '../../../context/index.ts';
import { getBusiness } from '../../businesses/index.ts';
import type { Command, Steps } from '../context.ts';
import { clearScan, insertDateRuns, scheduleScan } from './date-queries.ts';
import { type AutomationKey, type AutomationRow, bringForward, lockAutomation } from './queries.ts';

/** Automations with a date trigger are due rows: each is scanned once a day for people who enter. */
export const handleDates = ({ handleDueRows }: Platform): void =>
  handleDueRows<AutomationKey>({
    name: 'automation-dates',
    concurrency: 1,
    table: {
      name: 'automations',
      key: 'id',
      columns: [],
      lease: 'scan_at',
      due: '(case when enabled and deleted_at is null then scan_at end)',
    },
    handle: scanDates,
  });

async function scanDates(ctx: Steps, { id }: AutomationKey): Promise<void> {
  await ctx.transaction(async (tx) => {
    const automation = await lockAutomation(tx.db, ctx.businessId, id);
    const first = automation?.steps[0];
    if (automation?.trigger.type !== 'date') return;
    const timeZone = await timeZoneOf(tx);
    if (automation.enabled && first && (await insertDateRuns(tx.db, automation, first, timeZone, tx.now)) > 0)
      await bringForward(tx.db, automation, tx.now + first.delaySeconds);
    await scheduleScan(tx.db, automation, { timeZone, hour: automation.trigger.hour ?? 0 }, tx.now);
  });
}

/** Call it when an automation is enabled or its trigger changes. Earlier dates are not processed. */
export async function setScan(ctx: Command, automation: AutomationRow): Promise<void> {
  const { enabled, trigger } = automation;
  if (!enabled || trigger.type !== 'date') return clearScan(ctx.db, automation);
  await scheduleScan(ctx.db, automation, { timeZone: await timeZoneOf(ctx), hour: trigger.hour ?? 0 }, ctx.now);
}

const timeZoneOf = async (ctx: Command) => (await getBusiness(ctx, ctx.businessId)).configs.profile?.timeZone ?? 'UTC';
