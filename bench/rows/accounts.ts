import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/connection.ts';
import { type Row, ratioLine } from '../types.ts';

export const usersMe: Row = {
  name: 'users-me',
  async run({ compare, shop }) {
    const result = await compare(
      { server: 'souk', requests: [{ method: 'GET', path: '/v1/users/me', headers: bearer(shop.guestToken) }] },
      { server: 'bare', requests: [{ method: 'GET', path: `/users/${shop.adminId}` }] },
    );
    return [ratioLine('GET /v1/users/me', 0.7, result)];
  },
};

export function bareAccounts(app: FastifyInstance, pool: Pool): void {
  app.get('/users/:id', async (request) => {
    const { id } = request.params as { id: string };
    const [user] = await pool`select * from users where id = ${id}`;
    return user;
  });
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
