/**
 * The baseline: minimal Fastify routes that run the same statements on the same PostgreSQL. No
 * authentication, no validation, no error model.
 */
import Fastify from 'fastify';
import { createPool } from '../src/db/pool.ts';
import { openBareDb } from './bare-db.ts';
import { bareRoutes } from './rows/index.ts';

const target = JSON.parse(process.env.SOUK_BENCH_TARGET!);
const pool = createPool(target, { max: 10, applicationName: 'bare' });
const db = openBareDb(target);
const app = Fastify();
for (const add of bareRoutes) add(app, pool, db);
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
process.on('disconnect', () => process.exit(0));
