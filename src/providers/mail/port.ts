export type Mail = {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Shown instead of the name in MAIL_FROM; the address stays ours. */
  fromName?: string;
  replyTo?: string;
  messageId?: string;
  headers?: Record<string, string>;
};

export type Mailer = {
  /** Resolves when the mail server has taken the mail; raises `MailRefused` when it has not. */
  send(mail: Mail): Promise<void>;
  /** One mail for many recipients: what they share is encoded once. */
  bulk(mail: BulkMail): BulkSender;
  close(): Promise<void>;
};

/** A text with placeholders: its fixed parts, and the names of the variables between them. */
export type Template = readonly (string | { readonly variable: string })[];

export type BulkMail = {
  fromName?: string;
  replyTo?: string;
  subject: Template;
  text: Template;
  /** Values are escaped as they are filled in. */
  html: Template;
  headers: Readonly<Record<string, Template>>;
};

export type BulkRecipient = { to: string; messageId: string; values: Readonly<Record<string, string>> };

export type BulkSender = {
  /** How many connections are worth opening at once. */
  maxConnections: number;
  /** Raises `MailRefused` when the mail server cannot be reached. */
  connect(): Promise<BulkConnection>;
};

/** One connection to the mail server. It carries one message at a time. */
export type BulkConnection = {
  /**
   * Nothing of the message is sent before `permission` is true; when it is false (or fails) the message is given up, and the
   * connection with it. Resolves when the server has taken the message, raises `MailRefused` when it has not.
   */
  send(recipient: BulkRecipient, permission: Promise<boolean>): Promise<void>;
  /** False once it is closed: open another. */
  isOpen(): boolean;
  close(): void;
};

/**
 * `permanent`: trying again is of no use. `hardBounce`: the address itself does not exist. `inDoubt`: the whole message was
 * sent when the connection broke, so the server may have taken it.
 */
export class MailRefused extends Error {
  readonly permanent: boolean;
  readonly hardBounce: boolean;
  readonly inDoubt: boolean;

  constructor(message: string, { permanent = false, hardBounce = false, inDoubt = false } = {}) {
    super(message);
    this.permanent = permanent;
    this.hardBounce = hardBounce;
    this.inDoubt = inDoubt;
  }
}

/** The text with a value for each placeholder. */
export function fill(template: Template, value: (variable: string) => string): string {
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : value(part.variable);
  return text;
}
