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
  close(): Promise<void>;
};

/** Permanent: trying again is of no use. `hardBounce`: the address itself does not exist. */
export class MailRefused extends Error {
  readonly permanent: boolean;
  readonly hardBounce: boolean;

  constructor(message: string, { permanent, hardBounce }: { permanent: boolean; hardBounce: boolean }) {
    super(message);
    this.permanent = permanent;
    this.hardBounce = hardBounce;
  }
}
