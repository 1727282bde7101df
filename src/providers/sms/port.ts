/** `to` in E.164. */
export type Sms = { to: string; body: string };

export type SmsSender = { send(sms: Sms): Promise<void> };
