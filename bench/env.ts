/** The settings that every benchmark starts the service with. */
export const baseEnv = (target: object, folder: string) => ({
  ...process.env,
  SOUK_BENCH_TARGET: JSON.stringify(target),
  PORT: '0',
  DATA_DIR: folder,
  DATABASE_URL: 'postgres://given',
  SECRET_KEY: 'a-secret-for-the-benchmark-only-0123456789',
  DEMO: '0',
  LIMIT_ADDRESS: '10000000',
  LIMIT_ANONYMOUS: '10000000',
});
