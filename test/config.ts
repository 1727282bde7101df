import { type Config, loadConfig } from '../src/config.ts';

/** The settings of a service under test. `overrides` are keyed by environment variable. */
export function testConfig(overrides: Record<string, string>, dataDir: string): Config {
  return loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://unused',
    SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
    DEMO: '0',
    LOG_LEVEL: 'warn',
    LIMIT_ANONYMOUS: '1000000',
    DATABASE_POOL: process.env.DATABASE_POOL ?? '16',
    ...overrides,
  });
}
