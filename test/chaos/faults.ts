/** Things that go wrong, for a few seconds each. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SinkReply } from '../smtp-sink.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

type Fault = { name: string; run(seconds: number): Promise<void> };

const MAIL_REPLIES: SinkReply[] = ['drop', 'drop-after-data', 'take-and-drop', { code: 421 }, { code: 451 }];

function faultsOf(world: World, random: Random): Fault[] {
  const anyProcess = () => random.pick(world.processes);
  /** Holds a state for this many seconds. */
  const during = async (seconds: number, begin: () => unknown, end: () => unknown): Promise<void> => {
    await begin();
    try {
      await pause(seconds * 1000);
    } finally {
      await end();
    }
  };
  const onProcess = (name: string, run: (process: ReturnType<typeof anyProcess>, seconds: number) => Promise<void>) => {
    const victim = anyProcess();
    return { name: `${victim.name}: ${name}`, run: (seconds: number) => run(victim, seconds) };
  };
  return [
    onProcess('killed', async (process) => {
      await process.kill();
      await process.start();
    }),
    onProcess('stopped and started', async (process) => {
      await process.kill('SIGTERM');
      await process.start();
    }),
    onProcess('paused', (process, seconds) =>
      during(
        seconds,
        () => process.signal('SIGSTOP'),
        () => process.signal('SIGCONT'),
      ),
    ),
    onProcess('clock wrong', (process, seconds) =>
      during(
        seconds,
        () => process.setClock(random.between(-3600, 3600)),
        () => process.setClock(0),
      ),
    ),
    onProcess('partitioned from the database', (process, seconds) =>
      during(seconds, process.network.partition, process.network.heal),
    ),
    onProcess('database connections cut', async (process) => process.database.cut()),
    onProcess('database slow', (process, seconds) =>
      during(
        seconds,
        () => {
          process.database.state.delayMs = random.between(5, 200);
        },
        () => {
          process.database.state.delayMs = 0;
        },
      ),
    ),
    {
      name: 'PostgreSQL killed',
      async run(seconds) {
        await world.postgres.kill();
        await pause(random.between(0, seconds) * 1000);
        await world.postgres.start();
      },
    },
    {
      name: 'PostgreSQL restarted',
      async run() {
        await world.postgres.restart();
        await world.postgres.start();
      },
    },
    {
      name: 'disk full',
      async run(seconds) {
        await during(seconds, world.disk.fill, world.disk.free);
        if (!(await world.postgres.isUp())) await world.postgres.start();
      },
    },
    {
      name: 'email server fails',
      run: (seconds) =>
        during(
          seconds,
          () => {
            world.mail.reply = () => (random.isTrue(0.5) ? random.pick(MAIL_REPLIES) : 'accept');
            world.toMail.state.isDown = random.isTrue(0.3);
          },
          () => {
            world.mail.reply = () => 'accept';
            world.toMail.state.isDown = false;
          },
        ),
    },
    {
      name: 'payment provider fails',
      run: (seconds) =>
        during(
          seconds,
          () => {
            const kind = random.pick(['down', 'isDown', 'losesResponses'] as const);
            if (kind === 'down') world.stripe.state.down = true;
            else world.toStripe.state[kind] = true;
          },
          () => {
            world.stripe.state.down = false;
            Object.assign(world.toStripe.state, { isDown: false, losesResponses: false });
          },
        ),
    },
    {
      name: 'webhook receiver fails',
      run: (seconds) =>
        during(
          seconds,
          () => {
            world.hooks.status = 500;
            world.toReceiver.state.losesResponses = random.isTrue(0.5);
          },
          () => {
            world.hooks.status = 200;
            world.toReceiver.state.losesResponses = false;
          },
        ),
    },
  ];
}

/** Runs random faults, up to two at once, until the deadline. `log` gets each one's name. */
export async function causeFaults(
  world: World,
  random: Random,
  isOver: () => boolean,
  log: (line: string) => void,
): Promise<void> {
  const busy = new Set<string>();
  async function one(): Promise<void> {
    while (!isOver()) {
      const fault = random.pick(faultsOf(world, random));
      const subject = fault.name.includes(': ') ? fault.name.split(': ')[0]! : fault.name.split(' ')[0]!;
      // The disk and PostgreSQL never fail at the same time, and each subject recovers before it fails again.
      if (
        busy.has(subject) ||
        (subject === 'disk' && busy.has('PostgreSQL')) ||
        (subject === 'PostgreSQL' && busy.has('disk'))
      ) {
        await pause(200);
        continue;
      }
      busy.add(subject);
      const seconds = random.between(1, 8);
      log(`${fault.name}, ${seconds} s`);
      await fault.run(seconds);
      busy.delete(subject);
      await pause(random.between(500, 4000));
    }
  }
  await Promise.all([one(), one()]);
}
