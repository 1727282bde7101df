import { Transform } from 'node:stream';
import { WrongSize } from './port.ts';

/** Throws if the stream has more or fewer bytes. */
export function exactly(size: number): Transform {
  let count = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      if (count > size) done(new WrongSize('The stream is longer than expected'));
      else done(null, chunk);
    },
    flush: (done) => done(count < size ? new WrongSize('The stream is shorter than expected') : null),
  });
}
