/** The rich text editor (Tiptap on ProseMirror), loaded on demand by `rich-text.tsx`. */
import { Editor, type JSONContent, mergeAttributes, Node } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { t } from '../../text/index.ts';
import { elements } from './rich-elements.ts';

export type RichEditor = ReturnType<typeof createRichEditor>;
type Format = 'bold' | 'italic' | 'heading' | 'bulletList' | 'orderedList' | 'quote';

const ImageNode = Node.create({
  name: 'image',
  group: 'block',
  draggable: true,
  addAttributes: () => ({
    src: { default: null },
    alt: { default: null },
    title: { default: null },
    width: { default: null },
    height: { default: null },
  }),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes)],
});

/** The end of the free part of an entry that not everyone can read. */
const PaywallNode = Node.create({
  name: 'paywall',
  group: 'block',
  priority: 200,
  parseHTML: () => [{ tag: 'hr[data-paywall]', priority: 100 }],
  renderHTML: () => ['hr', { 'data-paywall': '' }],
  addNodeView: () => () => {
    const dom = document.createElement('div');
    dom.className = 'paywall';
    dom.textContent = t('blocks.paywall');
    return { dom };
  },
});

const extensions = [
  StarterKit.configure({
    link: { openOnClick: false, autolink: true, HTMLAttributes: { target: null, rel: 'noopener noreferrer' } },
    trailingNode: false,
  }),
  ImageNode,
  PaywallNode,
  ...elements,
];

/** An empty paragraph counts as no text. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML());

/** The tags, relevant attributes and words of the HTML. */
function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const tags = [...body.querySelectorAll('*')]
    .map(({ tagName, attributes, textContent }) => {
      if (tagName === 'FIGCAPTION' && !textContent) return 'EMPTY';
      const counted = [...attributes].filter(({ name }) => !['rel', 'target', 'class'].includes(name));
      return [RENAMED[tagName] ?? tagName, ...counted.map(({ name, value }) => `${name}=${value}`).sort()].join(' ');
    })
    .filter((tag) => tag !== 'EMPTY')
    // The editor wraps list items and bare text in paragraphs, which looks the same.
    .filter((tag) => tag !== 'P' && tag !== 'BR');
  return JSON.stringify([tags.sort(), (body.textContent ?? '').replace(/\s+/g, '')]);
}
const RENAMED: Record<string, string> = { B: 'STRONG', I: 'EM', DEL: 'S' };

/** Whether the editor would keep the whole text. */
export function isLossless(html: string): boolean {
  if (!html.trim()) return true;
  const editor = new Editor({ extensions, content: html, injectCSS: false });
  const isSame = textOf(editor.getHTML()) === textOf(html);
  editor.destroy();
  return isSame;
}

type Options = {
  place: HTMLElement;
  labelledBy: string;
  describedBy: string;
  lang: string | undefined;
  html: string;
  onChange: (html: string) => void;
  /** Called when the selection, and so the toolbar, changed. */
  onMove: () => void;
};

export function createRichEditor({ place, labelledBy, describedBy, lang, html, onChange, onMove }: Options) {
  const editor = new Editor({
    element: place,
    extensions,
    content: html,
    // The page's policy doesn't allow inline styles. The stylesheet has them.
    injectCSS: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        'aria-describedby': describedBy,
        ...(lang ? { lang } : {}),
      },
    },
    onUpdate: () => onChange(htmlOf(editor)),
    onTransaction: onMove,
  });
  const chain = () => editor.chain().focus();
  const toggles: Record<Format, () => boolean> = {
    bold: () => chain().toggleBold().run(),
    italic: () => chain().toggleItalic().run(),
    heading: () => chain().toggleHeading({ level: 2 }).run(),
    bulletList: () => chain().toggleBulletList().run(),
    orderedList: () => chain().toggleOrderedList().run(),
    quote: () => chain().toggleBlockquote().run(),
  };
  /** The position of the divider, or null. */
  const findPaywall = () => {
    let at: number | null = null;
    editor.state.doc.forEach((node, offset) => {
      if (node.type.name === 'paywall') at ??= offset;
    });
    return at as number | null;
  };
  return {
    hasPaywall: () => findPaywall() !== null,
    /** Adds the divider after the current paragraph, or removes it. The cursor moves to the text after it. */
    togglePaywall() {
      const at = findPaywall();
      if (at !== null) {
        chain()
          .deleteRange({ from: at, to: at + 1 })
          .run();
        return;
      }
      const end = editor.state.selection.$to.after(1);
      const isLast = end === editor.state.doc.content.size;
      chain()
        .insertContentAt(end, [{ type: 'paywall' }, ...(isLast ? [{ type: 'paragraph' }] : [])])
        .setTextSelection(end + 2)
        .run();
    },
    has: (name: Format | 'link') => editor.isActive(name === 'quote' ? 'blockquote' : name),
    toggle: (name: Format) => void toggles[name](),
    linkAddress: () => String(editor.getAttributes('link').href ?? ''),
    setLink(address: string) {
      if (!address) chain().extendMarkRange('link').unsetLink().run();
      else if (editor.state.selection.empty && !editor.isActive('link'))
        chain()
          .insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] })
          .run();
      else chain().extendMarkRange('link').setLink({ href: address }).run();
    },
    insertImage: (src: string, alt: string) => void chain().insertContent({ type: 'image', attrs: { src, alt } }).run(),
    /** Inserts an element after the current block, and a paragraph to continue in if it is the last one. */
    insertElement(content: JSONContent) {
      const { $to } = editor.state.selection;
      const depth = Math.max(1, $to.depth);
      const isInColumn = $to.depth > 1 && $to.node(-1).type.name === 'column' && content.type !== 'columns';
      const end = $to.depth === 0 ? $to.pos : $to.after(isInColumn ? depth : 1);
      const isLast = end === editor.state.doc.content.size;
      chain()
        .insertContentAt(end, [content, ...(isLast ? [{ type: 'paragraph' }] : [])])
        .run();
    },
    insertText: (text: string) => void chain().insertContent({ type: 'text', text }).run(),
    undo: () => void chain().undo().run(),
    redo: () => void chain().redo().run(),
    /**
     * Replaces the content and keeps the cursor, because a save may only change the spelling of tags. Returns false if the editor
     * doesn't support all of it.
     */
    replace(next: string): boolean {
      if (!isLossless(next)) return false;
      const { from, to } = editor.state.selection;
      editor.chain().setContent(next, { emitUpdate: false }).setTextSelection({ from, to }).run();
      return true;
    },
    destroy: () => editor.destroy(),
  };
}
