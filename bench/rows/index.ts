import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/connection.ts';
import type { Row } from '../types.ts';
import { bareAccounts, usersMe } from './accounts.ts';
import { bareCatalog, productGet, productList } from './catalog.ts';

export const rows: Row[] = [usersMe, productGet, productList];

export const bareRoutes: ((app: FastifyInstance, pool: Pool) => void)[] = [bareAccounts, bareCatalog];
