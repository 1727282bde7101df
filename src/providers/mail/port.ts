import type { Template } from '../../shared/mail/template.ts';

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The business that sends it: from its own address, if it has one. */
  businessId?: string;
  /** Replaces the name in MAIL_FROM. */
  fromName?: string;
  replyTo?: string;
  messageId?: string;
  headers?: Record<string, string>;
};

/** The verified sender address of a business, and the key that signs its email. */
export type OwnSender = {
  address: string;
  dkim: { domain: string; selector: string; privateKey: string };
};

export type Mailer = {
  /** Resolves when the mail server has accepted the email. Throws `MailRefused` if it rejects it. */
  send(mail: Mail): Promise<void>;
  /** One email for many recipients, in one or more versions: the shared parts are encoded once. */
  bulk(versions: readonly BulkMail[]): BulkSender;
  close(): Promise<void>;
};

export type BulkMail = {
  businessId?: string;
  fromName?: string;
  replyTo?: string;
  subject: Template;
  text: Template;
  /** Values are escaped when filled in. */
  html: Template;
  headers: Readonly<Record<string, Template>>;
};

/** `version` is the number of the version that the recipient gets, 0 by default. */
export type BulkRecipient = {
  to: string;
  messageId: string;
  version?: number;
  values: Readonly<Record<string, string>>;
};

export type BulkSender = {
  /** The number of concurrent connections worth opening. */
  maxConnections: number;
  /** Throws `MailRefused` if the mail server is unreachable. */
  connect(): Promise<BulkConnection>;
};

/** One connection to the mail server. It sends one message at a time. */
export type BulkConnection = {
  /**
   * Sends no part of the message until `permission` resolves to true. If it resolves to false or rejects, the message
   * is dropped and the connection closed. Resolves when the server has accepted the message; throws `MailRefused` if
   * it rejects it.
   */
  send(recipient: BulkRecipient, permission: Promise<boolean>): Promise<void>;
  /** False once closed: open another. */
  isOpen(): boolean;
  close(): void;
};

/**
 * `permanent`: a retry can't succeed. `hardBounce`: the address does not exist. `inDoubt`: the connection was lost
 * after the whole message was sent, so the server may have accepted it. `serverDown`: no message can be sent, because the server is
 * unreachable or rejects the login.
 */
export class MailRefused extends Error {
  readonly permanent: boolean;
  readonly hardBounce: boolean;
  readonly inDoubt: boolean;
  readonly serverDown: boolean;

  constructor(message: string, { permanent = false, hardBounce = false, inDoubt = false, serverDown = false } = {}) {
    super(message);
    this.permanent = permanent;
    this.hardBounce = hardBounce;
    this.inDoubt = inDoubt;
    this.serverDown = serverDown;
  }
}
