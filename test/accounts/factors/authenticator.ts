/** A passkey device in software. Each option can be forged. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Json } from '../../harness.ts';

type Ceremony = { options: Json; origin: string };
type Falsified = { rpId?: string; userVerified?: boolean; counter?: number; challenge?: string };

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;

  /** COSE: an ES256 key as a CBOR map. */
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x!, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y!, 'base64url'),
  ]);

  function authenticatorData(rpId: string, flags: number, count: number, attested = Buffer.alloc(0)): Buffer {
    const numbers = Buffer.alloc(5);
    numbers.writeUInt8(flags);
    numbers.writeUInt32BE(count, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), numbers, attested]);
  }

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const credential = (response: Record<string, Buffer>, extra: object = {}) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      ...Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
      ...extra,
    },
  });

  return {
    id: id.toString('base64url'),
    create({ options, origin }: Ceremony, { rpId = options.rp.id, userVerified = true }: Falsified = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const flags = FLAGS.present | FLAGS.attested | (userVerified ? FLAGS.verified : 0);
      const data = authenticatorData(rpId, flags, counter, attested);
      const size = Buffer.alloc(2);
      size.writeUInt16BE(data.length);
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
        size,
        data,
      ]);
      const clientDataJSON = clientData('webauthn.create', options.challenge, origin);
      return credential({ clientDataJSON, attestationObject }, { transports: ['internal'] });
    },
    get({ options, origin }: Ceremony, falsified: Falsified = {}) {
      const { rpId = options.rpId, userVerified = true, challenge = options.challenge } = falsified;
      counter = falsified.counter ?? counter + 1;
      const flags = FLAGS.present | (userVerified ? FLAGS.verified : 0);
      const data = authenticatorData(rpId, flags, counter);
      const clientDataJSON = clientData('webauthn.get', challenge, origin);
      const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()]);
      return credential({ clientDataJSON, authenticatorData: data, signature: sign('sha256', signed, privateKey) });
    },
  };
}
