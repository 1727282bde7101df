import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { createService } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Pool } from '../../src/db/pool.ts';
import { ask, startProcess } from '../processes.ts';
import { type Measured, plainLine, type Row, ratioLine } from '../types.ts';

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

const PASSWORD = 'correct horse battery 9';

/** The speed of a plain read while 50 people log in repeatedly. */
export const logins: Row = {
  name: 'logins',
  async run(bench) {
    const email = `login-${Date.now()}@example.com`;
    await bench.call('POST', '/v1/users/register', { body: { provider: 'EMAIL_REGISTER', email, password: PASSWORD } });
    await bench.pool`update users set is_confirmed = true where email_key = ${email}`;
    const login = { method: 'POST', path: '/v1/users/login', body: { provider: 'EMAIL', email, password: PASSWORD } };
    const other = await startProcess('load.ts', bench.env, { silentStart: true });
    try {
      const logins = ask<Measured>(other.child, {
        url: bench.url,
        load: { server: 'souk', requests: [login], connections: 50 },
        seconds: bench.seconds + 1,
      });
      const read = await bench.measure({
        server: 'souk',
        connections: 1,
        requests: [{ method: 'GET', path: '/v1/users/me', headers: bearer(bench.shop.guestToken) }],
      });
      const { perSecond, errors } = await logins;
      return [
        plainLine({
          operation: 'GET /v1/users/me while 50 logins are in flight',
          ours: `${read.p99.toFixed(1)} ms (${Math.round(perSecond)} logins/s)`,
          p50: `${read.p50.toFixed(1)} ms`,
          p99: `${read.p99.toFixed(1)} ms`,
          memory: `${await bench.memoryMb()} MB`,
          goal: 'p99 < 20 ms',
          met: read.p99 < 20 && errors === 0 && read.errors === 0,
        }),
      ];
    } finally {
      other.child.disconnect();
    }
  },
};

/** Every visitor to a shop logs in as a guest. */
export const guestLogins: Row = {
  name: 'guest-logins',
  async run(bench) {
    const login = { method: 'POST', path: '/v1/users/login', body: { provider: 'GUEST' } };
    const { perSecond, p50, p99, errors } = await bench.measure({ server: 'souk', requests: [login] });
    return [
      plainLine({
        operation: 'POST /v1/users/login as a guest',
        ours: `${Math.round(perSecond)}/s`,
        p50: `${p50.toFixed(1)} ms`,
        p99: `${p99.toFixed(1)} ms`,
        memory: `${await bench.memoryMb()} MB`,
        goal: '> 1000/s',
        met: perSecond > 1000 && errors === 0,
      }),
    ];
  },
};

/** The cost of checking a token, which is cached until it expires or is revoked. */
export const tokenCheck: Row = {
  name: 'token-check',
  async run({ env, shop }) {
    const service = await createService({
      config: loadConfig(env),
      target: JSON.parse(env.SOUK_BENCH_TARGET!),
      log: pino({ level: 'warn' }),
      works: false,
    });
    try {
      const { authenticate } = service.accounts;
      const times = 20_000;
      const measure = async () => {
        const startedAt = performance.now();
        for (let i = 0; i < times; i++) await authenticate(shop.guestToken);
        return ((performance.now() - startedAt) * 1000) / times;
      };
      await measure();
      const micros = await measure();
      return [
        plainLine({
          operation: 'Access token check per request',
          ours: `${micros.toFixed(1)} µs`,
          goal: '< 150 µs',
          met: micros < 150,
        }),
      ];
    } finally {
      await service.stop();
    }
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
