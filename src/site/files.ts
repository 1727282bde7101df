/** Files of a site other than pages: its theme and its feeds. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFeed, sendFeed } from './feeds.ts';
import type { Opened, SiteOptions } from './serve.ts';

type Send = (request: FastifyRequest, reply: FastifyReply, opened: Opened) => Promise<FastifyReply>;

const THEME = /^\/theme-[a-z0-9-]+\.css$/;

export function createFiles(_options: SiteOptions) {
  const sendTheme: Send = async (_request, reply, { module, path }) => {
    const styles = module.themeStyles(path.slice(1));
    if (styles === null) return reply.code(404).send();
    return reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(styles);
  };

  const find = (path: string): Send | null => (THEME.test(path) ? sendTheme : isFeed(path) ? sendFeed : null);

  return {
    has: (path: string) => find(path) !== null,
    send: ((request, reply, opened) => find(opened.path)!(request, reply, opened)) as Send,
  };
}
