/** The accepted file types. Detected from the content alone, never from the name or the sender's Content-Type. */

export type Kind = 'IMAGE' | 'VIDEO' | 'AUDIO' | 'DOCUMENT';
export type FileType = { mimeType: string; kind: Kind; extension: string };

/** The first bytes of a file, enough to detect its type. */
export const HEAD_BYTES = 65_536;

const entry = (kind: Kind, mimeType: string, extension: string) => [mimeType, { mimeType, kind, extension }] as const;
const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

const TYPES = new Map<string, FileType>([
  entry('IMAGE', 'image/jpeg', 'jpg'),
  entry('IMAGE', 'image/png', 'png'),
  entry('IMAGE', 'image/gif', 'gif'),
  entry('IMAGE', 'image/webp', 'webp'),
  entry('IMAGE', 'image/avif', 'avif'),
  entry('IMAGE', 'image/tiff', 'tif'),
  entry('IMAGE', 'image/svg+xml', 'svg'),
  entry('VIDEO', 'video/mp4', 'mp4'),
  entry('VIDEO', 'video/webm', 'webm'),
  entry('VIDEO', 'video/quicktime', 'mov'),
  entry('AUDIO', 'audio/mpeg', 'mp3'),
  entry('AUDIO', 'audio/mp4', 'm4a'),
  entry('AUDIO', 'audio/aac', 'aac'),
  entry('AUDIO', 'audio/ogg', 'ogg'),
  entry('AUDIO', 'audio/wav', 'wav'),
  entry('AUDIO', 'audio/flac', 'flac'),
  entry('DOCUMENT', 'application/pdf', 'pdf'),
  entry('DOCUMENT', 'application/zip', 'zip'),
  entry('DOCUMENT', `${OPEN_XML}.wordprocessingml.document`, 'docx'),
  entry('DOCUMENT', `${OPEN_XML}.spreadsheetml.sheet`, 'xlsx'),
  entry('DOCUMENT', `${OPEN_XML}.presentationml.presentation`, 'pptx'),
  entry('DOCUMENT', 'text/plain', 'txt'),
]);

/** Aliases of types. */
const ALIASES: Record<string, string> = {
  'image/apng': 'image/png',
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'video/x-m4v': 'video/mp4',
};

/** `refused` names the type of a file that is not accepted. Runs in a thread, because the file can be made to be slow to parse. */
export async function detectType(head: Buffer): Promise<FileType | { refused: string }> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head, { signal: AbortSignal.timeout(5000) });
  if (found && found.mime !== 'application/xml') {
    return TYPES.get(ALIASES[found.mime] ?? found.mime) ?? { refused: found.mime };
  }
  const text = textOf(head);
  if (text === null) return { refused: 'unknown' };
  if (!text.trimStart().startsWith('<')) return TYPES.get('text/plain')!;
  return isSvg(text) ? TYPES.get('image/svg+xml')! : { refused: 'HTML or XML' };
}

export const convert = (head: Uint8Array) => detectType(Buffer.from(head.buffer, head.byteOffset, head.byteLength));

/** The type of an object, by the extension of its name. */
export const typeOfExtension = (extension: string): FileType | undefined =>
  [...TYPES.values()].find((type) => type.extension === extension);

/** The decoded text; null unless it is UTF-8 without control characters. */
function textOf(head: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length === HEAD_BYTES });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they identify binary files.
    return text === '' || /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Starts with an svg element, after at most an XML declaration, comments and a doctype without entities. */
function isSvg(text: string): boolean {
  if (/<!ENTITY/i.test(text)) return false;
  let at = afterSpace(text, 0);
  if (text.startsWith('<?xml', at)) at = after(text, '?>', at);
  at = afterComments(text, at);
  if (/^<!DOCTYPE svg/i.test(text.slice(at, at + 13))) {
    const end = after(text, '>', at);
    if (end === -1 || text.slice(at, end).includes('[')) return false;
    at = afterComments(text, end);
  }
  return at !== -1 && /^<svg[\s>]/i.test(text.slice(at, at + 5));
}

/** The index after the next `end`, or -1. */
function after(text: string, end: string, from: number): number {
  const found = from === -1 ? -1 : text.indexOf(end, from);
  return found === -1 ? -1 : found + end.length;
}

/** -1 if a comment has no end. */
function afterComments(text: string, from: number): number {
  let at = afterSpace(text, from);
  while (at !== -1 && text.startsWith('<!--', at)) at = afterSpace(text, after(text, '-->', at + 4));
  return at;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at !== -1 && at < text.length && text[at]!.trim() === '') at++;
  return at;
}

/** Types that browsers show inline. Others are downloaded. */
const INLINE = /^(?:image\/(?!svg)|video\/|audio\/)/;

export const contentTypeOf = (mimeType: string) => (mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType);

export const dispositionOf = (mimeType: string) => (INLINE.test(mimeType) ? undefined : 'attachment');
