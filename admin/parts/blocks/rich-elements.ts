/** The elements of rich text besides text: images with captions, galleries, buttons, products, embeds and columns. */
import { type Editor, Node } from '@tiptap/core';
import { t } from '../../text/index.ts';

export type Picture = { src: string; alt: string };

const pictureOf = (element: Element): Picture => ({
  src: element.getAttribute('src') ?? '',
  alt: element.getAttribute('alt') ?? '',
});
const picturesIn = (element: Element) => [...element.querySelectorAll('img[src]')].map(pictureOf);
const captionOf = (node: globalThis.Node) =>
  ((node as Element).querySelector('figcaption') ?? document.createElement('figcaption')) as HTMLElement;

/** Enter in a caption or a button continues in a paragraph below it. */
const leaveOnEnter = (name: string) => ({
  Enter({ editor }: { editor: Editor }) {
    const { $from } = editor.state.selection;
    if ($from.parent.type.name !== name) return false;
    const end = $from.after();
    return editor
      .chain()
      .insertContentAt(end, { type: 'paragraph' })
      .setTextSelection(end + 1)
      .run();
  },
});

const hidden = { default: null, rendered: false };

const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: 'inline*',
  draggable: true,
  addAttributes: () => ({ src: hidden, alt: hidden }),
  parseHTML: () => [
    {
      tag: 'figure',
      priority: 60,
      getAttrs: (element) => picturesIn(element)[0] ?? false,
      contentElement: captionOf,
    },
  ],
  renderHTML: ({ node: { attrs } }) => ['figure', ['img', { src: attrs.src, alt: attrs.alt }], ['figcaption', 0]],
  addKeyboardShortcuts: () => leaveOnEnter('figure'),
});

const Gallery = Node.create({
  name: 'gallery',
  group: 'block',
  content: 'inline*',
  draggable: true,
  addAttributes: () => ({ pictures: { default: [], rendered: false } }),
  parseHTML: () => [
    {
      tag: 'figure[data-gallery]',
      priority: 100,
      getAttrs: (element) => ({ pictures: picturesIn(element) }),
      contentElement: captionOf,
    },
  ],
  renderHTML: ({ node }) => [
    'figure',
    { 'data-gallery': '' },
    ...(node.attrs.pictures as Picture[]).map(({ src, alt }) => ['img', { src, alt }] as const),
    ['figcaption', 0],
  ],
  addKeyboardShortcuts: () => leaveOnEnter('gallery'),
});

const Embed = Node.create({
  name: 'embed',
  group: 'block',
  content: 'inline*',
  draggable: true,
  addAttributes: () => ({ href: hidden, src: hidden, alt: hidden }),
  parseHTML: () => [
    {
      tag: 'figure[data-embed]',
      priority: 100,
      getAttrs: (element) => {
        const href = element.querySelector('a[href]')?.getAttribute('href');
        return href ? { href, ...picturesIn(element)[0] } : false;
      },
      contentElement: captionOf,
    },
  ],
  renderHTML: ({ node: { attrs } }) => [
    'figure',
    { 'data-embed': '' },
    ['a', { href: attrs.href }, attrs.src ? ['img', { src: attrs.src, alt: attrs.alt ?? '' }] : attrs.href],
    ['figcaption', 0],
  ],
  addKeyboardShortcuts: () => leaveOnEnter('embed'),
});

const Button = Node.create({
  name: 'button',
  group: 'block',
  content: 'text*',
  marks: '',
  draggable: true,
  addAttributes: () => ({ href: hidden }),
  parseHTML: () => [
    {
      tag: 'p[data-button]',
      priority: 100,
      getAttrs: (element) => {
        const href = element.querySelector('a[href]')?.getAttribute('href');
        return href ? { href } : false;
      },
      contentElement: 'a',
    },
  ],
  renderHTML: ({ node }) => ['p', { 'data-button': '' }, ['a', { href: node.attrs.href }, 0]],
  addKeyboardShortcuts: () => leaveOnEnter('button'),
});

/** Only the ID is used. The email and the site show the current name, price and stock. */
const Product = Node.create({
  name: 'product',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ id: hidden, name: hidden }),
  parseHTML: () => [
    {
      tag: 'div[data-product]',
      priority: 100,
      getAttrs: (element) => ({ id: element.getAttribute('data-product'), name: element.textContent?.trim() ?? '' }),
    },
  ],
  renderHTML: ({ node: { attrs } }) => ['div', { 'data-product': attrs.id }, attrs.name],
  addNodeView:
    () =>
    ({ node }) => {
      const dom = document.createElement('div');
      dom.className = 'product-element';
      dom.textContent = `${t('elements.product')}: ${node.attrs.name}`;
      return { dom };
    },
});

const Columns = Node.create({
  name: 'columns',
  group: 'block',
  content: 'column{2,3}',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-columns]', priority: 100 }],
  renderHTML: () => ['div', { 'data-columns': '' }, 0],
});

const Column = Node.create({
  name: 'column',
  content: '(paragraph | heading | bulletList | orderedList | blockquote | image | figure | button | product)+',
  isolating: true,
  parseHTML: () => [{ tag: 'div', context: 'columns/', priority: 100 }],
  renderHTML: () => ['div', 0],
});

export const elements = [Figure, Gallery, Embed, Button, Product, Columns, Column];
