/** Elements of rich text, and hints about an email. */
export const elements = {
  insert: 'Insert',
  figure: 'Picture with caption',
  figureHint: 'A picture and a line below it',
  gallery: 'Gallery',
  galleryHint: 'Several pictures side by side',
  button: 'Button',
  buttonHint: 'A link that stands out',
  product: 'Product',
  productHint: 'With its current price and stock',
  embed: 'Embed',
  embedHint: 'A video or page, shown as a picture with a link',
  columns2: 'Two columns',
  columns2Hint: 'Stacked on phones',
  columns3: 'Three columns',
  columns3Hint: 'Stacked on phones',
  divider: 'Divider',
  dividerHint: 'A line between two parts',
  label: 'Label',
  title: 'Title',
  preview: 'Preview picture',
};

export const hints = {
  title: 'Before you send',
  SUBJECT_CAPITALS: 'The subject is mostly in capital letters, which looks like spam.',
  SUBJECT_PUNCTUATION: 'The subject has repeated punctuation, which looks like spam.',
  SUBJECT_LONG: 'The subject has {detail} characters. Phones show about 40.',
  FEW_WORDS: 'The email has hardly any text beside its pictures. Many people see no pictures.',
  NO_ALT: 'Pictures without a description: {detail}. Add alt text in the media library.',
  SHORTENED_LINK: 'Links go through {detail}. Spam filters distrust shortened links.',
  DISGUISED_LINK: 'A link shows {detail} but goes elsewhere, which looks like phishing.',
  NO_ADDRESS: 'Your postal address is missing. Many countries require it. Add it in the settings of your business.',
  TOO_LARGE: 'The email has {detail} KB. Gmail hides everything after 102 KB.',
};

export const design = {
  title: 'Design',
  text: 'Applies to every issue of this newsletter.',
  color: 'Accent color',
  colorHint: 'Empty for the color of your brand',
  header: 'Header',
  footer: 'Footer',
  noIssue: 'Write an issue to see a preview.',
};
