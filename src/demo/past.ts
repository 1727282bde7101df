/** The same context at an earlier time, for use cases that timestamp their writes with `ctx.now`. */
export const at = <Ctx extends { readonly now: number }>(ctx: Ctx, seconds: number): Ctx =>
  Object.create(ctx, { now: { value: seconds } });

export const HOUR = 3600;
export const DAY = 86_400;

export const startOfDay = (seconds: number) => seconds - (seconds % DAY);
