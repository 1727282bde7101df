/**
 * Each request is work of the main thread: the watchdog names it, and its CPU time is charged to the business whose member sent it, or
 * to the IP address of a customer or visitor.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isMember } from '../../shared/security/caller.ts';
import { addressKey } from '../../shared/text/address-key.ts';
import { enterWork, runWork, type Work } from '../../shared/work.ts';
import { businessIdOf } from '../access.ts';
import type { App } from '../app.ts';
import { createHeavyLane, type HeavyLane } from './heavy-lane.ts';

class RequestWork implements Work {
  readonly #request: IncomingMessage;
  usedMs = 0;
  /** Empty until the caller is known. */
  readonly #charges: ((ms: number) => void)[] = [];

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** Without the query, which can contain tokens. */
  get name(): string {
    return `${this.#request.method} ${this.#request.url?.split('?', 1)[0]}`;
  }

  spend(ms: number): void {
    this.usedMs += ms;
    for (const charge of this.#charges) charge(ms);
  }

  chargeTo(charge: (ms: number) => void): void {
    this.#charges.push(charge);
    charge(this.usedMs);
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For a public request that a business can make slow: waits while the requests of this business are heavy. */
    waitForBusiness(request: FastifyRequest, reply: FastifyReply, businessId: string): Promise<void>;
  }
}

const works = new WeakMap<IncomingMessage, RequestWork>();

export function runRequest(request: IncomingMessage, start: () => void): void {
  const work = new RequestWork(request);
  works.set(request, work);
  runWork(work, start);
}

/** Undefined for requests of the storefront within this process: they are part of a visitor's request. */
export const workOf = (request: FastifyRequest): RequestWork | undefined => works.get(request.raw);

/** Continues the work in a callback of the request's socket. */
export function enterRequest(request: FastifyRequest): void {
  const work = workOf(request);
  if (work) enterWork(work);
}

/** Heavy requests wait for their turn after the access check, before their body is read. */
export function shareCpuTime(app: App, lane: HeavyLane = createHeavyLane()): void {
  /** Charges the owner. Returns a function that waits for a turn. */
  function begin(work: RequestWork, reply: FastifyReply, key: string): (start: (error?: Error) => void) => void {
    const owner = lane.ownerOf(key);
    work.chargeTo((ms) => lane.charge(owner, ms));
    return (start) => {
      reply.raw.once('close', () => lane.end(owner, work));
      lane.enter(owner, work, start);
    };
  }

  app.decorate('waitForBusiness', (request, reply, businessId) => {
    const work = workOf(request);
    if (!work) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    begin(work, reply, businessId)((error) => (error ? reject(error) : resolve()));
    return promise;
  });
  app.addHook('onRequest', (request, reply, done) => {
    const work = workOf(request);
    const { access, streamsBody } = request.routeOptions.config;
    if (!work || !access || access === 'public') return done();
    const enter = begin(work, reply, ownerKey(request));
    if (streamsBody) done();
    else enter(done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    enterRequest(request);
    done();
  });
}

function ownerKey(request: FastifyRequest): string {
  const { caller } = request;
  const businessId = businessIdOf(request);
  if (businessId !== undefined && isMember(caller, businessId)) return businessId;
  return caller.isGuest || businessId !== undefined ? addressKey(request.ip) : caller.userId;
}
