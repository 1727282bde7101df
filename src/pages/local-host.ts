import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { forbidden } from '../shared/errors.ts';

/**
 * For pages with secrets outside production. They are served only on localhost and the host of PUBLIC_URL, so that another site can't
 * read them through DNS rebinding.
 */
export const requireLocalHost =
  (publicUrl: () => string) =>
  ({ headers: { host = '' } }: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void =>
    done(
      isLocalHost(host, publicUrl())
        ? undefined
        : forbidden('Outside production, this page is only available at localhost or at PUBLIC_URL.'),
    );

export function isLocalHost(host: string, publicUrl: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  return /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(name) || name === URL.parse(publicUrl)?.hostname;
}
