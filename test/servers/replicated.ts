/** A PostgreSQL server and a streaming replica whose replay a test can pause. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { createPool } from '../../src/db/pool.ts';
import { eventually } from '../service.ts';
import { createPostgres } from './postgres.ts';

const HBA = 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n';

/** Both have the role and database `souk`. They are removed after the tests of the file. */
export async function createReplicated() {
  const primary = await createPostgres({ hba: HBA });
  after(() => primary.remove());
  await primary.start();
  const setup = createPool({ url: primary.url() }, { max: 1, applicationName: 'test' });
  await setup.text('create role souk login');
  await setup.text('create database souk owner souk');
  await setup.end();
  await primary.stop();
  const standby = await createPostgres({ copyOf: primary.folder, hba: HBA });
  after(() => standby.remove());
  await writeFile(join(standby.folder, 'standby.signal'), '');
  await primary.start();
  const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres`;
  const startStandby = () => standby.start({ primary_conninfo: conninfo });
  await standby.start({ primary_conninfo: conninfo });
  const admin = {
    primary: createPool({ url: primary.url() }, { max: 1, applicationName: 'test' }),
    standby: createPool({ url: standby.url() }, { max: 1, applicationName: 'test' }),
  };
  after(() => Promise.all([admin.primary.end(), admin.standby.end()]));
  const resume = () => admin.standby.text('select pg_wal_replay_resume()').execute();

  return {
    primary,
    standby,
    admin,
    startStandby,
    async setFeedback(value: 'on' | 'off'): Promise<void> {
      await admin.standby.text(`alter system set hot_standby_feedback = ${value}`);
      await admin.standby.text('select pg_reload_conf()');
      await eventually('the setting applies', async () => {
        const [row] = await admin.standby.text("select current_setting('hot_standby_feedback') as value");
        return row!.value === value;
      });
    },
    replay: {
      /** Until `resume`, or the end of the test. */
      async pause(t: TestContext): Promise<void> {
        t.after(resume);
        await admin.standby.text('select pg_wal_replay_pause()');
        await eventually('replay is paused', async () => {
          const [row] = await admin.standby.text('select pg_get_wal_replay_pause_state() as state');
          return row!.state === 'paused';
        });
      },
      resume,
      /** Waits until the replica has replayed everything committed so far. */
      async wait(): Promise<void> {
        const [row] = await admin.primary.text('select pg_current_wal_insert_lsn()::text as lsn');
        await eventually('the replica has caught up', async () => {
          const [at] = await admin.standby.text('select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there', [
            row!.lsn,
          ]);
          return at!.isThere;
        });
      },
    },
  };
}
