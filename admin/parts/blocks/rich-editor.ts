/** The editor of rich texts (Tiptap on ProseMirror). Only `rich-text.tsx` loads it, when it is needed. */
import { Editor, mergeAttributes, Node } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';

export type RichEditor = ReturnType<typeof createRichEditor>;
type Format = 'bold' | 'italic' | 'heading' | 'bulletList' | 'orderedList' | 'quote';

const Picture = Node.create({
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

const extensions = [
  StarterKit.configure({
    link: { openOnClick: false, autolink: true, HTMLAttributes: { target: null, rel: 'noopener noreferrer' } },
    trailingNode: false,
  }),
  Picture,
];

/** An empty paragraph is an empty text. */
const htmlOf = (editor: Editor) => (editor.isEmpty ? '' : editor.getHTML());

/** The tags, attributes that count, and words of a text. */
function essence(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const tags = [...body.querySelectorAll('*')]
    .map(({ tagName, attributes }) => {
      const counted = [...attributes].filter(({ name }) => !['rel', 'target', 'class'].includes(name));
      return [RENAMED[tagName] ?? tagName, ...counted.map(({ name, value }) => `${name}=${value}`).sort()].join(' ');
    })
    // The editor puts paragraphs into items and around bare text, which changes nothing that is read.
    .filter((tag) => tag !== 'P' && tag !== 'BR');
  return JSON.stringify([tags.sort(), (body.textContent ?? '').replace(/\s+/g, '')]);
}
const RENAMED: Record<string, string> = { B: 'STRONG', I: 'EM', DEL: 'S' };

/** Whether the editor would give the text back whole. */
export function isLossless(html: string): boolean {
  if (!html.trim()) return true;
  const editor = new Editor({ extensions, content: html, injectCSS: false });
  const isSame = essence(editor.getHTML()) === essence(html);
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
  /** The selection has moved, and with it what the toolbar shows. */
  onMove: () => void;
};

export function createRichEditor({ place, labelledBy, describedBy, lang, html, onChange, onMove }: Options) {
  const editor = new Editor({
    element: place,
    extensions,
    content: html,
    // The policy of the page allows no inline styles; ours are in the style sheet.
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
  return {
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
    insertPicture: (src: string, alt: string) =>
      void chain().insertContent({ type: 'image', attrs: { src, alt } }).run(),
    undo: () => void chain().undo().run(),
    redo: () => void chain().redo().run(),
    /** Shows another text. False: it would lose parts of it. */
    replace(next: string): boolean {
      if (!isLossless(next)) return false;
      editor.commands.setContent(next, { emitUpdate: false });
      return true;
    },
    destroy: () => editor.destroy(),
  };
}
