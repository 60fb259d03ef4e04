/**
 * Settings of every function that is called from outside. They hold while it runs. Each query has an
 * index that fits it, so plans need no statistics: those of a table that was just filled are wrong.
 */
export const settings = `
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan`;
