/**
 * How statements are planned that have one plan that makes sense, as a query: made once and kept. On a Citus cluster a plan names
 * the node that has the rows, so it depends on the values.
 */
export const PLAN_MODE = `
  select case when exists (select from pg_extension where extname = 'citus') then 'auto' else 'force_generic_plan' end as plans`;
