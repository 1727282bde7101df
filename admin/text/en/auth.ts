export const auth = {
  name: 'Name',
  passwordHint: 'At least 8 characters, with a letter and a number or symbol',
  create: 'Create account',
  hasAccount: 'Log in instead',
  invitedText: 'Invited to a business? Use the link in your invitation email instead.',
  registered: 'Check your inbox',
  registeredText: 'We sent a confirmation link to {email}. It expires in 1 hour.',
  forgotText: "Enter your email and we'll send you a link to reset your password.",
  sendLink: 'Send link',
  forgotSent: 'If {email} has an account, we sent a reset link. It expires in 1 hour.',
  toLogIn: 'Go to login',
  mailbox: 'Open development mailbox',
};
