import { Transform } from 'node:stream';
import { WrongSize } from './port.ts';

/** Raises when more or fewer bytes come through. */
export function exactly(size: number): Transform {
  let count = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      if (count > size) done(new WrongSize('There are more bytes than announced.'));
      else done(null, chunk);
    },
    flush: (done) => done(count < size ? new WrongSize('There are fewer bytes than announced.') : null),
  });
}
