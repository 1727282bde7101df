/** The documentation as tests read it: pages, code blocks, headings and links. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Block = { language: string; flags: string[]; code: string; line: number };
export type Page = { file: string; text: string; blocks: Block[]; anchors: Set<string> };

const FENCE = /^( *)```(\S*)([^\n]*)\n(.*?)^\1```$/gms;

export function readPage(file: string): Page {
  const source = readFileSync(ROOT + file, 'utf8');
  const blocks = [...source.matchAll(FENCE)].map(({ index, 1: indent, 2: language, 3: flags, 4: code }) => ({
    language: language!,
    flags: flags!.split(' ').filter(Boolean),
    code: code!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: source.slice(0, index).split('\n').length,
  }));
  const text = source.replaceAll(FENCE, '');
  const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title!)));
  return { file, text, blocks, anchors };
}

/** Creates anchors the way GitHub and VitePress do for these titles. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

export const pages: Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'client/README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/node_modules/**'] }).sort(),
].map(readPage);

/** Blocks in a language that can be run or parsed, except those marked `not-run`. */
export const blocksIn = (page: Page, language: string) =>
  page.blocks.filter((block) => block.language === language && !block.flags.includes('not-run'));
