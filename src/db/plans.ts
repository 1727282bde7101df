/**
 * The plan mode for statements with one sensible plan: plan once and reuse it. On a Citus cluster a plan contains the
 * node of the rows, so it depends on the values.
 */
export const PLAN_MODE = `
  select case when exists (select from pg_extension where extname = 'citus') then 'auto' else 'force_generic_plan' end as plans`;
