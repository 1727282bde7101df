/** Elements of rich text, and hints about an email. */
export const elements = {
  insert: 'Insert',
  figure: 'Image with caption',
  figureHint: 'An image with a line of text below',
  gallery: 'Gallery',
  galleryHint: 'Several images side by side',
  button: 'Button',
  buttonHint: 'A link that stands out',
  product: 'Product',
  productHint: 'With its current price and stock',
  embed: 'Embed',
  embedHint: 'A video or page, shown as an image with a link',
  columns2: 'Two columns',
  columns2Hint: 'Stacked on phones',
  columns3: 'Three columns',
  columns3Hint: 'Stacked on phones',
  divider: 'Divider',
  dividerHint: 'A line between two sections',
  label: 'Label',
  title: 'Title',
  preview: 'Preview image',
};

export const hints = {
  title: 'Before you send',
  SUBJECT_CAPITALS: 'The subject is mostly in capital letters, which looks like spam.',
  SUBJECT_PUNCTUATION: 'The subject has repeated punctuation or currency signs, which looks like spam.',
  SUBJECT_LONG: 'The subject has {detail} characters. Phones show about 40.',
  FEW_WORDS: 'The email is mostly images. Many email apps hide images by default.',
  NO_ALT: 'Images without alt text: {detail}. Add alt text in the media library.',
  SHORTENED_LINK: 'Some links use the URL shortener {detail}. Spam filters often block shortened links.',
  DISGUISED_LINK: 'A link shows {detail} but opens a different site, which looks like phishing.',
  NO_ADDRESS: 'Your postal address is missing. Many countries require it. Add it in the business settings.',
  TOO_LARGE: 'The email is {detail} KB. Gmail clips emails larger than 102 KB.',
};

export const design = {
  title: 'Design',
  text: 'Applies to every issue of this newsletter.',
  color: 'Accent color',
  colorHint: 'Leave empty to use your brand color',
  header: 'Header',
  footer: 'Footer',
  noIssue: 'Write an issue to see a preview.',
};
