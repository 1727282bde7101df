/**
 * The posts of Ghost's JSON export (`db[0].data.posts`). They become entries of one collection; a field goes into the block
 * that has its name, or one of the names that people give such a block.
 * Source: ghost.org/docs/migration/ghost, "Ghost JSON".
 *
 * Ghost writes its own address as `__GHOST_URL__`, and the file does not say which one that is.
 */
import { entryOf, fieldsWithoutBlock, fillBlocks } from './entry-blocks.ts';
import { type JsonFormat, secondsOf, textOf } from './format.ts';

const SAME: Record<string, readonly string[]> = {
  html: ['html', 'body', 'content', 'text'],
  feature_image: ['feature_image', 'featureImage', 'image', 'cover', 'picture'],
  custom_excerpt: ['custom_excerpt', 'excerpt', 'summary', 'description', 'intro'],
  published_at: ['published_at', 'publishedAt', 'date'],
  title: ['title', 'subject', 'name', 'headline'],
};

/** Of the entry itself, or what `html` has in another form. */
const TAKEN = [
  ...['id', 'uuid', 'comment_id', 'status', 'locale', 'created_at', 'published_at'],
  ...['plaintext', 'lexical', 'mobiledoc'],
];

const OWN_ADDRESS = '__GHOST_URL__';
const withoutOwnAddress = (value: unknown) => textOf(value).replaceAll(OWN_ADDRESS, '');

export const ghostPosts: JsonFormat = {
  name: 'ghost-posts',
  label: 'Ghost posts',
  type: 'entries',
  recognises: (sample) => 'title' in sample && ('lexical' in sample || 'mobiledoc' in sample || 'comment_id' in sample),
  ignored: (sample, to) => fieldsWithoutBlock(sample, to, SAME, TAKEN),
  notesOn: (head) =>
    head.includes(OWN_ADDRESS)
      ? [
          `Feature images that the file names by ${OWN_ADDRESS} are left out. Replace it by the address of your blog in the file, and they are fetched.`,
        ]
      : [],
  convert(post, row, to) {
    const image = textOf(post.feature_image);
    const fields = {
      ...post,
      html: withoutOwnAddress(post.html) || withoutOwnAddress(post.plaintext),
      feature_image: image.startsWith(OWN_ADDRESS) ? null : image,
    };
    const { blocks, errors } = fillBlocks(row, fields, to, SAME);
    if (errors.length > 0) return { errors };
    return entryOf(
      row,
      {
        key: `ghost:${textOf(post.uuid) || textOf(post.id)}`,
        blocks,
        locale: textOf(post.locale) || undefined,
        status: post.status === 'published' ? 'PUBLISHED' : 'DRAFT',
        createdAt: secondsOf(textOf(post.published_at) || textOf(post.created_at)),
      },
      to,
    );
  },
};
