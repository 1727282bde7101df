/**
 * Loaded into every process that runs test files: one that hangs, before its first test or after its last, ends with an error
 * instead of holding up the run for ever. The runner itself has no limit.
 */
const FILE_MS = Number(process.env.TEST_FILE_MS ?? 900_000);

if (process.env.NODE_TEST_CONTEXT) {
  setTimeout(() => {
    process.stderr.write(`${process.env.SOUK_TEST_FILE} did not end within ${FILE_MS / 1000} s.\n`);
    process.exit(1);
  }, FILE_MS).unref();
}
